//! One call of the platform, as cases look at it.

use crate::Finding;
use crate::evidence::Exchange;
use crate::verdict::Stop;
use http::HeaderMap;
use serde_json::Value;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// What a call asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Verb {
    Catalog,
    Provision,
    Fetch,
    Update,
    Deprovision,
    Poll,
    Bind,
    FetchBinding,
    Unbind,
    PollBinding,
    /// Nothing that the specification knows.
    Other,
}

impl Verb {
    /// As people say it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Catalog => "catalog fetch",
            Self::Provision => "provision",
            Self::Fetch => "fetch of the instance",
            Self::Update => "update",
            Self::Deprovision => "deprovision",
            Self::Poll => "poll of the instance",
            Self::Bind => "bind",
            Self::FetchBinding => "fetch of the binding",
            Self::Unbind => "unbind",
            Self::PollBinding => "poll of the binding",
            Self::Other => "call that the specification does not know",
        }
    }

    /// Whether it polls.
    pub(crate) fn is_poll(self) -> bool {
        matches!(self, Self::Poll | Self::PollBinding)
    }

    /// Whether it always comes from somebody who wants something.
    pub(crate) fn is_creation(self) -> bool {
        matches!(self, Self::Provision | Self::Update | Self::Bind)
    }
}

/// A call and the answer that it gets.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) verb: Verb,
    /// When it arrived.
    pub(crate) at: Instant,
    /// When the platform closed the connection without waiting for the answer.
    pub(crate) given_up: OnceLock<Instant>,
    /// Decoded; empty where the path has none.
    pub(crate) instance: String,
    /// Decoded; empty where the path has none.
    pub(crate) binding: String,
    /// Decoded.
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Value>,
    /// Whether the credentials are those that the platform was given.
    pub(crate) authorized: bool,
    /// What is known of the resource when the call arrives.
    pub(crate) known: Known,
    /// The status of the answer; none for silence.
    pub(crate) status: Option<u16>,
    /// For reports.
    pub(crate) exchange: Arc<Exchange>,
}

/// What the broker knows of the resource that a call is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// The broker has it, or may have it.
    pub(crate) exists: bool,
    pub(crate) service_id: String,
    pub(crate) plan_id: String,
    /// What was handed out with the last 202; an outer none when nothing is under way.
    pub(crate) operation: Option<Option<String>>,
    /// How many bindings of the instance there are.
    pub(crate) bindings: usize,
    /// Whether the catalog allows to fetch it.
    pub(crate) retrievable: bool,
}

impl Call {
    /// A value of the query, when it is there.
    pub(crate) fn asked(&self, key: &str) -> Option<&str> {
        let found = self.query.iter().find(|(k, _)| k == key);
        found.map(|(_, value)| value.as_str())
    }

    /// A field of the body that is not null.
    pub(crate) fn field(&self, name: &str) -> Option<&Value> {
        let value = self.body.as_ref()?.get(name)?;
        (!value.is_null()).then_some(value)
    }

    /// A text of the body.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.field(name)?.as_str()
    }

    /// A header as text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// A finding about this call.
    pub(crate) fn finding(&self, expected: impl Into<String>, seen: impl Into<String>) -> Finding {
        Finding {
            expected: expected.into(),
            seen: seen.into(),
            exchange: Some(Arc::clone(&self.exchange)),
        }
    }

    /// A stop with a finding about this call.
    pub(crate) fn fail(&self, expected: impl Into<String>, seen: impl Into<String>) -> Stop {
        Stop::Failed(vec![self.finding(expected, seen)])
    }
}
