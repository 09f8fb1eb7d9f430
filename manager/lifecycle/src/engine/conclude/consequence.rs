//! What is stored after a verdict. Pure.

use super::super::Order;
use super::super::judge::{Answered, Fault, Verdict};
use super::effect::{begun, done, failed, is_forced, orphaned};
use super::{Row, deed_of};
use qm_model::Time;
use qm_model::audit::Outcome;
use qm_model::event::Change;
use qm_model::operation::{State, Verb as Deed};
use qm_store::deed::{Effect, Next};
use quartermaster_osb::Verb;
use serde_json::Value;

/// When things are tried.
pub(super) struct Waits {
    pub(super) now: Time,
    pub(super) poll: Time,
    pub(super) clean: Time,
    pub(super) again: Time,
}

/// What follows from a verdict.
#[derive(Debug, PartialEq)]
pub(super) struct Consequence {
    pub(super) next: Next,
    pub(super) effect: Effect,
    pub(super) change: Option<Change>,
    pub(super) outcome: Option<Outcome>,
    pub(super) detail: String,
}

/// What is stored after a verdict. Pure.
pub(super) fn consequence(
    verb: Verb,
    order: &Order,
    row: Row,
    verdict: Verdict,
    waits: &Waits,
    now: Time,
) -> Consequence {
    match verdict {
        Verdict::Done(answered) => Consequence {
            next: Next::Done {
                state: State::Succeeded,
                errors: None,
                description: String::new(),
            },
            effect: done(verb, order, row, answered, now),
            change: Some(match deed_of(verb) {
                Deed::Create => Change::Created,
                Deed::Update => Change::Modified,
                Deed::Delete => Change::Deleted,
            }),
            outcome: Some(Outcome::Succeeded),
            detail: "done by the broker".to_owned(),
        },
        Verdict::Pending(answered) => Consequence {
            effect: begun(verb, order, row, &answered),
            next: Next::Polling {
                broker_operation: answered.operation,
                due: answered
                    .retry_after
                    .map_or(waits.poll, |wait| waits.poll.max(waits.now.plus(wait))),
                description: "the broker works on it".to_owned(),
            },
            change: None,
            outcome: Some(Outcome::Succeeded),
            detail: "the broker works on it".to_owned(),
        },
        Verdict::Failed(fault) if is_forced(verb, order) => Consequence {
            effect: done(verb, order, row, Answered::default(), now),
            change: Some(Change::Deleted),
            outcome: Some(Outcome::Succeeded),
            detail: format!("removed by force: {}", fault.description),
            next: Next::Done {
                state: State::Succeeded,
                errors: Some(fault.errors()),
                description: format!(
                    "removed by force; it may still be at the broker: {}",
                    fault.description
                ),
            },
        },
        Verdict::Failed(fault) => Consequence {
            effect: failed(verb, order, row, &fault),
            change: Some(Change::Modified),
            outcome: Some(Outcome::Failed),
            detail: fault.description.clone(),
            next: Next::Done {
                state: State::Failed,
                errors: Some(fault.errors()),
                description: fault.description,
            },
        },
        Verdict::Orphan(fault) => Consequence {
            effect: orphaned(order),
            change: Some(Change::Modified),
            outcome: Some(Outcome::Failed),
            detail: format!(
                "{}; what may be left of it will be deleted",
                fault.description
            ),
            next: Next::Mitigating {
                // A platform polls until the end of it all; people are told at once.
                state: order.own.as_ref().map(|_| State::Failed),
                due: waits.clean,
                errors: fault.errors(),
                description: format!(
                    "{}; what may be left of it at the broker is deleted",
                    fault.description
                ),
            },
        },
        Verdict::Abandoned(fault) => Consequence {
            effect: Effect::None,
            change: Some(Change::Modified),
            outcome: Some(Outcome::Failed),
            detail: fault.description.clone(),
            next: Next::Done {
                state: State::Failed,
                errors: Some(fault.errors()),
                description: fault.description,
            },
        },
        Verdict::Later(fault) => Consequence {
            effect: Effect::None,
            change: None,
            outcome: None,
            detail: fault.description.clone(),
            next: Next::Queued {
                due: waits.again,
                failed: fails(verb, order, &fault),
                error: fault.description,
            },
        },
        Verdict::Unknown(fault) => Consequence {
            effect: Effect::None,
            change: None,
            outcome: None,
            detail: fault.description.clone(),
            next: Next::Again {
                due: waits.again,
                failed: fails(verb, order, &fault),
                error: (!fault.is_none()).then_some(fault.description),
            },
        },
    }
}

/// People are told at once that a deletion failed at the broker, though it is tried again: nobody can say how long.
fn fails(verb: Verb, order: &Order, fault: &Fault) -> Option<Value> {
    let failed = fault.word == "BrokerError" && deed_of(verb) == Deed::Delete && !order.queued;
    (failed && order.own.is_some()).then(|| fault.errors())
}
