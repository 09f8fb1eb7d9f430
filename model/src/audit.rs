//! Who did what, from where, with which outcome. Written once, never changed.

use crate::{Caller, Kind, Time};

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Done; the record is written in the same transaction.
    Succeeded,
    /// Not allowed, or not possible as asked: nothing changed.
    Refused,
    /// Tried, and it went wrong.
    Failed,
}

impl Outcome {
    /// The word on the wire and in the store.
    pub fn word(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }

    /// The outcome with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Succeeded, Self::Refused, Self::Failed]
            .into_iter()
            .find(|outcome| outcome.word() == word)
    }
}

/// One record to write.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// When.
    pub at: Time,
    /// `platform`, `person`, `system`, `anonymous`.
    pub actor_kind: &'static str,
    /// The caller's own id: a subject, a platform id.
    pub actor_id: String,
    /// What people call them.
    pub actor_name: String,
    /// What was done: `create`, `update`, `delete`, `login`, `rotate`, `activate` ...
    pub action: &'static str,
    /// To what kind of thing.
    pub kind: Option<Kind>,
    /// To which one; empty when there is none.
    pub object_id: String,
    /// The peer's address.
    pub remote: String,
    /// Joins it with logs and operations.
    pub correlation_id: String,
    /// How it ended.
    pub outcome: Outcome,
    /// In words; never a secret.
    pub detail: String,
}

impl Entry {
    /// A record about a call.
    pub fn of(
        ctx: &crate::Ctx,
        at: Time,
        action: &'static str,
        kind: Option<Kind>,
        object_id: impl Into<String>,
        outcome: Outcome,
        detail: impl Into<String>,
    ) -> Self {
        let (actor_kind, actor_id, actor_name) = match &ctx.caller {
            Caller::Anonymous => ("anonymous", String::new(), String::new()),
            Caller::Platform(p) => ("platform", p.id.to_string(), p.name.clone()),
            Caller::Person(p) => ("person", p.subject.clone(), p.name.clone()),
            Caller::System(what) => ("system", (*what).to_owned(), (*what).to_owned()),
        };
        Self {
            at,
            actor_kind,
            actor_id,
            actor_name,
            action,
            kind,
            object_id: object_id.into(),
            remote: ctx.remote.clone(),
            correlation_id: ctx.correlation_id.clone(),
            outcome,
            detail: detail.into(),
        }
    }
}

/// One record as read back.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its place in the log.
    pub seq: i64,
    /// When.
    pub at: Time,
    /// What kind of caller.
    pub actor_kind: String,
    /// The caller's own id.
    pub actor_id: String,
    /// What people call them.
    pub actor_name: String,
    /// What was done.
    pub action: String,
    /// To what kind of thing, as its path; empty when none.
    pub resource_type: String,
    /// To which one.
    pub object_id: String,
    /// The peer's address.
    pub remote: String,
    /// Joins it with logs and operations.
    pub correlation_id: String,
    /// How it ended.
    pub outcome: Outcome,
    /// In words.
    pub detail: String,
}
