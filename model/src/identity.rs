//! Users and clients of the built-in issuer, and what anybody may do.

use crate::id::{ClientId, UserId};
use crate::{Error, Time};
use std::collections::BTreeSet;
use std::fmt;

/// What a caller may do. Each is granted by itself, except that a developer reads as a viewer does and
/// an administrator does what both do. `purge` is apart: nobody has it by being something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Reads.
    Viewer,
    /// Reads, and works with instances and bindings.
    Developer,
    /// Everything but purging.
    Admin,
    /// Removes records without asking the broker.
    Purge,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 4] = [Self::Viewer, Self::Developer, Self::Admin, Self::Purge];

    /// The word in tokens, requests and the store.
    pub fn word(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Developer => "developer",
            Self::Admin => "admin",
            Self::Purge => "purge",
        }
    }

    /// The role with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.word() == word)
    }

    /// Roles from words.
    ///
    /// # Errors
    /// The first word that is none, and which there are.
    pub fn from_words<'a>(
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<BTreeSet<Self>, Error> {
        words
            .into_iter()
            .map(|word| {
                Self::from_word(word).ok_or_else(|| {
                    Error::invalid(format!(
                        "{word:?} is no role; there are viewer, developer, admin and purge"
                    ))
                })
            })
            .collect()
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A person who logs in at the built-in issuer.
#[derive(Debug, Clone, PartialEq)]
pub struct User {
    /// Never changes; the `sub` of tokens.
    pub id: UserId,
    /// What is typed at login.
    pub name: String,
    /// What they may do.
    pub roles: BTreeSet<Role>,
    /// Confined to this tenant.
    pub tenant: Option<String>,
    /// When they were added.
    pub created_at: Time,
    /// When they were changed last.
    pub updated_at: Time,
}

/// A program that logs in at the built-in issuer with its own secret.
#[derive(Debug, Clone, PartialEq)]
pub struct Client {
    /// Its `client_id`.
    pub id: ClientId,
    /// For people.
    pub description: String,
    /// What it may do.
    pub roles: BTreeSet<Role>,
    /// Confined to this tenant.
    pub tenant: Option<String>,
    /// When it was added.
    pub created_at: Time,
    /// When it was changed last.
    pub updated_at: Time,
}
