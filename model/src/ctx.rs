//! Who calls, from where, under which correlation id. The doors make a [`Ctx`]; every deed takes one.
//!
//! The rule: a `Ctx` is made once, after the caller has proved who it is, and never changed.

use crate::id::PlatformId;
use crate::identity::Role;
use std::collections::BTreeSet;
use std::fmt;

/// The circumstances of a call.
#[derive(Debug, Clone)]
pub struct Ctx {
    /// Who calls.
    pub caller: Caller,
    /// Joins this call's logs, operations, events and audit records. Any length that is sane.
    pub correlation_id: String,
    /// The peer's address, for the audit log.
    pub remote: String,
}

impl Ctx {
    /// A call of the manager to itself: `what` names the task.
    pub fn system(what: &'static str, correlation_id: String) -> Self {
        Self {
            caller: Caller::System(what),
            correlation_id,
            remote: String::new(),
        }
    }
}

/// Who calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// Nobody in particular; may read what is open to all.
    Anonymous,
    /// A platform, by its Basic credentials.
    Platform(PlatformCaller),
    /// A person or a program, by a token.
    Person(Person),
    /// The manager itself; the word names the task.
    System(&'static str),
}

/// A platform that has proved who it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlatformCaller {
    /// Which one.
    pub id: PlatformId,
    /// Its name.
    pub name: String,
    /// `cloudfoundry`, `kubernetes` or any other word.
    pub platform_type: String,
    /// The user of the pair it came with. Using a new pair on the notification stream activates it.
    pub username: String,
    /// It may not create or change anything.
    pub suspended: bool,
    /// The tenants it belongs to; none: it is for all.
    pub tenants: Vec<String>,
}

/// A person or a program that brought a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The token's `sub`.
    pub subject: String,
    /// What to call them in logs.
    pub name: String,
    /// Who issued the token.
    pub issuer: String,
    /// What they may do.
    pub roles: BTreeSet<Role>,
    /// Confined to this tenant; `None` sees all.
    pub tenant: Option<String>,
}

impl Caller {
    /// A key that tells callers apart: for rate limits and the audit log.
    pub fn key(&self) -> String {
        match self {
            Self::Anonymous => "anonymous".to_owned(),
            Self::Platform(platform) => format!("platform:{}", platform.id),
            Self::Person(person) => format!("person:{}:{}", person.issuer, person.subject),
            Self::System(what) => format!("system:{what}"),
        }
    }

    /// The platform, when one calls.
    pub fn platform(&self) -> Option<&PlatformCaller> {
        match self {
            Self::Platform(platform) => Some(platform),
            _ => None,
        }
    }
}

impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anonymous => f.write_str("somebody"),
            Self::Platform(platform) => write!(f, "platform {}", platform.name),
            Self::Person(person) => f.write_str(&person.name),
            Self::System(what) => write!(f, "the manager ({what})"),
        }
    }
}
