//! The orphan-mitigation table as pure functions: from what was called and what came of it to what to do.
//!
//! Whoever calls brokers asks here and nowhere else. The rule: an orphan is something a broker may have
//! made and the platform does not know of; only a call that makes or deletes can leave one, and an update
//! never does. The columns "meaning" and "decision" are the specification's; `tests/it/mitigation.rs`
//! has the table row by row.

use crate::{Answer, Outcome, State, Verb};
use http::StatusCode;

/// What to do about a possible orphan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Nothing was left behind.
    None,
    /// Deprovision until the broker says 200 or 410.
    DeleteInstance,
    /// Unbind until the broker says 200 or 410.
    DeleteBinding,
}

impl Decision {
    /// Whether what is to be done is the call that failed, once more (T15): a delete that broke is simply
    /// sent again. False for a create, where the deletion is a new deed.
    pub fn repeats(self, verb: Verb) -> bool {
        matches!(
            (self, verb),
            (Self::DeleteInstance, Verb::Deprovision) | (Self::DeleteBinding, Verb::Unbind)
        )
    }
}

/// What a call came to, for the caller's books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Done.
    Success,
    /// Under way at the broker: poll on.
    Pending,
    /// Not done.
    Failure,
    /// Nobody can say: the broker may have done it.
    Unknown,
}

/// What to do after a call. For last_operation use [`decide_operation`]: its own verb does not say what
/// was being done, so here it never leads to a deletion.
pub fn decide(verb: Verb, outcome: &Outcome) -> Decision {
    match outcome {
        Outcome::Success(_) | Outcome::Refused { .. } | Outcome::NotSent => Decision::None,
        Outcome::Malformed { status, .. } => {
            // A 200 says that the thing was there before, so this call made nothing.
            if *status == StatusCode::CREATED || *status == StatusCode::ACCEPTED {
                made_by(verb)
            } else {
                Decision::None
            }
        }
        Outcome::Unexpected { status } => {
            // The table speaks of 2xx. A redirect or a 1xx did nothing.
            if status.is_success() {
                touched_by(verb)
            } else {
                Decision::None
            }
        }
        Outcome::Broken { .. } => touched_by(verb),
        Outcome::Lost => made_by(verb),
        // Nobody gets this answer to the call itself.
        Outcome::OperationFailed(_) => Decision::None,
    }
}

/// What to do after a poll of an operation that `verb` began (`Provision`, `Update`, `Deprovision`,
/// `Bind` or `Unbind`). Only `failed` decides; after anything else a platform polls on (P9).
pub fn decide_operation(verb: Verb, poll: &Outcome) -> Decision {
    match poll {
        Outcome::OperationFailed(_) => touched_by(verb),
        _ => Decision::None,
    }
}

/// What to do when the platform itself failed after the broker may have made something, for example when
/// a write to its own database failed.
pub fn decide_internal(verb: Verb) -> Decision {
    made_by(verb)
}

/// What a call came to.
pub fn meaning(verb: Verb, outcome: &Outcome) -> Meaning {
    match outcome {
        Outcome::Success(Answer::Accepted(_)) => Meaning::Pending,
        Outcome::Success(_) => Meaning::Success,
        Outcome::Refused { .. } if outcome.is_gone() && deletes(verb) => Meaning::Success,
        Outcome::Lost if made_by(verb) != Decision::None => Meaning::Unknown,
        Outcome::Malformed { .. }
        | Outcome::Unexpected { .. }
        | Outcome::Refused { .. }
        | Outcome::Broken { .. }
        | Outcome::Lost
        | Outcome::NotSent
        | Outcome::OperationFailed(_) => Meaning::Failure,
    }
}

/// What a poll says about the operation that `verb` began.
pub fn meaning_of_operation(verb: Verb, poll: &Outcome) -> Meaning {
    match poll {
        Outcome::OperationFailed(_) => Meaning::Failure,
        Outcome::Success(Answer::LastOperation { body, .. }) => match body.state {
            State::Succeeded => Meaning::Success,
            State::Failed => Meaning::Failure,
            State::InProgress => Meaning::Pending,
        },
        // Gone is how a finished delete looks; for anything else it says nothing (P9).
        gone if gone.is_gone() && deletes(verb) => Meaning::Success,
        _ => Meaning::Pending,
    }
}

fn deletes(verb: Verb) -> bool {
    matches!(verb, Verb::Deprovision | Verb::Unbind)
}

/// The orphan that a create can leave.
fn made_by(verb: Verb) -> Decision {
    match verb {
        Verb::Provision => Decision::DeleteInstance,
        Verb::Bind => Decision::DeleteBinding,
        _ => Decision::None,
    }
}

/// The orphan that a create or a delete can leave.
fn touched_by(verb: Verb) -> Decision {
    match verb {
        Verb::Provision | Verb::Deprovision => Decision::DeleteInstance,
        Verb::Bind | Verb::Unbind => Decision::DeleteBinding,
        _ => Decision::None,
    }
}
