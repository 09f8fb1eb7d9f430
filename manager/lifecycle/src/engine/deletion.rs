//! What a deletion meets: nothing, a creation that it takes over, the same deletion under way, or something it must
//! wait for. [`remove`](super::remove()) asks here.
//!
//! The rule: a worker that only asks how a creation goes is not in the way; its turn is waited for.

use super::Subject;
use super::again::{in_the_way, is_held};
use super::wait::{BETWEEN, LOOKS};
use crate::Lifecycle;
use qm_model::id::OperationId;
use qm_model::operation::{State, Verb};
use qm_model::{Error, Time};
use qm_store::facts::{Facts, Work};
use qm_store::operation::Phase;

/// Whether a deletion begins.
pub(crate) enum Deletion {
    /// It does, in the place of this operation if there is one.
    Begin(Option<Over>),
    /// The same is under way already.
    UnderWay(Box<Work>),
}

/// The operation whose place a deletion takes.
pub(crate) struct Over {
    pub(crate) id: OperationId,
    pub(crate) fence: i64,
    /// Whether the broker may still be at it: it was to create or change the thing.
    pub(crate) creates: bool,
    /// What the broker calls it.
    pub(crate) broker_operation: Option<String>,
    /// The broker was never called.
    pub(crate) unsent: bool,
}

/// Who deletes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deleter {
    /// A platform, at a door: it waits a moment, and not for what it asked for itself.
    Platform,
    /// The manager itself: it waits until a call that is under way has its answer.
    Manager,
    /// The same by force: a deletion that may last longer than this from now on makes way.
    Force(Time),
}

/// Decides, after the turn of a worker that has the operation just now. Gives the facts it has decided by.
///
/// # Errors
/// 422 while something is under way that cannot be taken over.
pub(crate) async fn meet(
    deeds: &Lifecycle,
    subject: &Subject,
    mut known: Facts,
    deleter: Deleter,
) -> Result<(Facts, Deletion), Error> {
    let patience = match deleter {
        Deleter::Platform => BETWEEN * LOOKS,
        Deleter::Manager | Deleter::Force(_) => deeds.hold(),
    };
    let began = std::time::Instant::now();
    while began.elapsed() < patience {
        match deletion(&known, deeds.lease_now(), deleter) {
            Ok(decided) => return Ok((known, decided)),
            Err(error) if !has_its_turn(&known, deleter) => return Err(error),
            Err(_) => tokio::time::sleep(BETWEEN).await,
        }
        known = subject.facts(deeds).await?;
    }
    let decided = deletion(&known, deeds.lease_now(), deleter)?;
    Ok((known, decided))
}

/// Whether whoever holds the operation is soon done with it.
fn has_its_turn(facts: &Facts, deleter: Deleter) -> bool {
    facts.operation.as_ref().is_some_and(|work| {
        deleter != Deleter::Platform
            || matches!(work.phase, Phase::Polling | Phase::Mitigating)
                && work.operation.verb != Verb::Update
    })
}

/// Decides.
///
/// # Errors
/// 422 while something is under way that cannot be taken over.
fn deletion(facts: &Facts, now: Time, deleter: Deleter) -> Result<Deletion, Error> {
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
            creates: work.operation.verb != Verb::Delete,
            broker_operation: work.broker_operation.clone(),
            unsent: work.operation.verb == Verb::Create && work.phase == Phase::Queued,
        })))
    };
    let under_way = || Ok(Deletion::UnderWay(Box::new(work.clone())));
    match (work.operation.verb, work.phase) {
        (Verb::Delete, _) if makes_way(work, deleter) && !is_held(work, now) => takes_over(),
        (Verb::Delete, _) if makes_way(work, deleter) => Err(in_the_way(&work.operation)),
        (Verb::Delete, Phase::Polling) => under_way(),
        // What failed and would be tried again later is tried now.
        (Verb::Delete, _) if work.operation.state == State::Failed && !is_held(work, now) => {
            takes_over()
        }
        (Verb::Delete, _) if deleter != Deleter::Platform => under_way(),
        // What it brings is of no use any more.
        (Verb::Update, _) if deleter != Deleter::Platform && !is_held(work, now) => takes_over(),
        // Whose answer was lost is sent again, by the platform before a task does.
        (Verb::Delete, _) if !is_held(work, now) => takes_over(),
        // Nobody has it just now: it was sent and is waited for, or its sender died.
        (Verb::Create, _) if !is_held(work, now) => takes_over(),
        _ => Err(in_the_way(&work.operation)),
    }
}

/// Whether a deletion is to end later than one by force would. One that was begun by force ends in time, so that asking
/// for it again and again does not put it off.
fn makes_way(work: &Work, deleter: Deleter) -> bool {
    let Deleter::Force(end) = deleter else {
        return false;
    };
    let deadline = work.operation.deadline;
    work.phase != Phase::Cascading && deadline.is_none_or(|deadline| deadline > end)
}
