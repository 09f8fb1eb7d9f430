//! What a deletion meets: nothing, a creation that it takes over, the same deletion under way, or something it must
//! wait for. Deprovision and unbind ask here.

use super::again::{accepted, in_the_way, is_held};
use crate::door::Reply;
use qm_model::id::OperationId;
use qm_model::operation::Verb;
use qm_model::{Error, Time};
use qm_store::facts::Facts;
use qm_store::operation::Phase;

/// Whether a deletion begins.
pub(crate) enum Deletion {
    /// It does, in the place of this operation if there is one.
    Begin(Option<Over>),
    /// The broker works on it already.
    Answer(Reply),
}

/// The operation whose place a deletion takes.
pub(crate) struct Over {
    pub(crate) id: OperationId,
    pub(crate) fence: i64,
    /// Whether it was to create the thing.
    pub(crate) creates: bool,
}

/// Decides.
///
/// # Errors
/// 422 while something is under way that cannot be taken over.
pub(crate) fn deletion(facts: &Facts, now: Time) -> Result<Deletion, Error> {
    let Some(work) = facts
        .operation
        .as_ref()
        .filter(|work| work.phase != Phase::Done)
    else {
        return Ok(Deletion::Begin(None));
    };
    let takes_over = || {
        Ok(Deletion::Begin(Some(Over {
            id: work.operation.id.clone(),
            fence: work.fence,
            creates: work.operation.verb == Verb::Create,
        })))
    };
    match (work.operation.verb, work.phase) {
        (Verb::Delete, Phase::Polling) => Ok(Deletion::Answer(accepted(work))),
        // Whose answer was lost is sent again, by the platform before a task does.
        (Verb::Delete, _) if !is_held(work, now) => takes_over(),
        (Verb::Create, Phase::Polling | Phase::Mitigating) if !is_held(work, now) => takes_over(),
        // Its sender died.
        (Verb::Create, Phase::Intent) if !is_held(work, now) => takes_over(),
        _ => Err(in_the_way(&work.operation)),
    }
}
