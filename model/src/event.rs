//! What platforms are told: one row in the outbox, and who it is for.
//!
//! The rule: an event is stored in the transaction that changes the resource, and gets its revision only
//! after that commit, so revisions stand in commit order and a reader that is past one misses nothing
//! below it.

use crate::id::{BrokerId, EventId, PlatformId};
use crate::{Kind, Time};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What happened to the resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// It is there for the receiver.
    Created,
    /// It differs.
    Modified,
    /// It is gone for the receiver.
    Deleted,
}

impl Change {
    /// The word on the wire and in the store.
    pub fn word(self) -> &'static str {
        match self {
            Self::Created => "CREATED",
            Self::Modified => "MODIFIED",
            Self::Deleted => "DELETED",
        }
    }

    /// The change with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Created, Self::Modified, Self::Deleted]
            .into_iter()
            .find(|change| change.word() == word)
    }
}

/// Who is told. One row serves all receivers, whatever their number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audience {
    /// Every platform.
    Everyone,
    /// Every platform but these.
    Except(BTreeSet<PlatformId>),
    /// These platforms.
    Only(BTreeSet<PlatformId>),
}

impl Audience {
    /// Whether this platform is told.
    pub fn includes(&self, platform: &PlatformId) -> bool {
        match self {
            Self::Everyone => true,
            Self::Except(those) => !those.contains(platform),
            Self::Only(these) => these.contains(platform),
        }
    }

    /// Whether nobody is told.
    pub fn is_nobody(&self) -> bool {
        matches!(self, Self::Only(these) if these.is_empty())
    }
}

/// An event to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    /// Its id, shown to platforms.
    pub id: EventId,
    /// What kind of thing changed.
    pub resource: Kind,
    /// Which one.
    pub resource_id: String,
    /// What happened to it.
    pub change: Change,
    /// Who is told.
    pub audience: Audience,
    /// `{"new":..,"old":..,"label_changes":..}`, as sent.
    pub payload: String,
    /// Joins it with logs and operations.
    pub correlation_id: String,
    /// The broker of which something that is kept in memory (catalog, visibilities, address) is outdated by it.
    pub broker: Option<BrokerId>,
}

/// An event as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its place in commit order, from 1, without gaps.
    pub revision: i64,
    /// Its id.
    pub id: EventId,
    /// What kind of thing changed.
    pub resource: Kind,
    /// Which one.
    pub resource_id: String,
    /// What happened to it.
    pub change: Change,
    /// Who is told.
    pub audience: Audience,
    /// As sent; shared by everyone who is told.
    pub payload: Arc<str>,
    /// Joins it with logs and operations.
    pub correlation_id: String,
    /// When.
    pub created_at: Time,
}
