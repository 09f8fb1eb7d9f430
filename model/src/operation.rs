//! What was done, or is being done, to a resource. The only thing that remembers work.

use crate::id::{OperationId, PlatformId};
use crate::{Kind, Time};
use serde_json::Value;

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// Made.
    Create,
    /// Changed.
    Update,
    /// Removed.
    Delete,
}

impl Verb {
    /// The word on the wire and in the store.
    pub fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }

    /// The verb with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Create, Self::Update, Self::Delete]
            .into_iter()
            .find(|verb| verb.word() == word)
    }
}

/// How far it is, for clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Not begun.
    Pending,
    /// Under way.
    InProgress,
    /// Ended well.
    Succeeded,
    /// Ended badly.
    Failed,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 4] = [
        Self::Pending,
        Self::InProgress,
        Self::Succeeded,
        Self::Failed,
    ];

    /// The word on the wire and in the store.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in progress",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }

    /// The state with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }

    /// Whether nothing follows.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed)
    }
}

/// An operation, as clients see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Which one.
    pub id: OperationId,
    /// What is done.
    pub verb: Verb,
    /// How far it is.
    pub state: State,
    /// To what.
    pub resource_kind: Kind,
    /// To which one.
    pub resource_id: String,
    /// Where it was asked for.
    pub platform_id: PlatformId,
    /// Joins it with logs and events; of any sane length.
    pub correlation_id: String,
    /// In words.
    pub description: String,
    /// `{"error","description"}` when it failed.
    pub errors: Option<Value>,
    /// When it was stored first.
    pub created_at: Time,
    /// When it was changed last.
    pub updated_at: Time,
    /// When it must have ended.
    pub deadline: Option<Time>,
    /// How often it was tried.
    pub attempts: i64,
    /// When it is tried next.
    pub due_at: Option<Time>,
    /// Where it stands in a cascade.
    pub family: Family,
    /// What happened on the way.
    pub story: Story,
}

/// The operations of a cascade that an operation belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Family {
    /// The one that waits for this one.
    pub parent: Option<OperationId>,
    /// The one that began it all.
    pub root: Option<OperationId>,
}

/// What happened to an operation on the way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Story {
    /// Where it changed its course, in order. Its beginning and its end are not among them.
    pub steps: Vec<Step>,
    /// What went wrong first: whatever follows may only hide it.
    pub first_error: Option<String>,
    /// What went wrong last.
    pub last_error: Option<String>,
    /// Since when what it may have left behind is being deleted.
    pub cleaning_since: Option<Time>,
}

/// A change of course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// When.
    pub at: Time,
    /// In words.
    pub what: String,
}
