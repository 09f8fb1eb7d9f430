//! What may happen next to a resource: pure decisions, called inside the store's transaction.
//!
//! The table of the protocol (B20, B41, B50, B60, B61, T4, T9, T12) stands here and nowhere else.

use crate::broker::failure::Failure;
use crate::record::{Change, Life, Op, Record, Spec};
use quartermaster_osb::{ErrorBody, ErrorWord, PlanId, ServiceId};
use std::sync::Arc;

/// What the caller wants to happen.
#[derive(Debug, Clone)]
pub(crate) enum Wish {
    Create {
        service: ServiceId,
        plan: PlanId,
        spec: Arc<Spec>,
    },
    Update {
        change: Box<Change>,
    },
    Delete,
}

/// What follows from how things stand.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Go ahead.
    Start,
    /// It exists, finished and the same: 200.
    Exists,
    /// The very same is under way: 202 with the same operation.
    Running(Op),
    /// A create is under way that must be halted before a delete.
    Halt,
    /// No.
    Refuse(Failure),
}

/// Decides what a wish comes to, given the record (if the id was ever seen).
pub(crate) fn decide(wish: &Wish, record: Option<&Record>) -> Verdict {
    match wish {
        Wish::Create {
            service,
            plan,
            spec,
        } => create(service, plan, spec, record),
        Wish::Update { change } => update(change, record),
        Wish::Delete => delete(record),
    }
}

/// Whether an instance takes new bindings now.
pub(crate) fn admits_binding(instance: Option<&Record>) -> Result<(), Failure> {
    match instance.map(|record| record.life) {
        None | Some(Life::Gone) => Err(not_found("there is no such instance: provision it first")),
        Some(Life::Failed) => Err(not_found(
            "the instance was never finished: delete it and provision it again",
        )),
        Some(Life::Creating) => Err(Failure::busy("the instance is still being created")),
        Some(Life::Updating) => Err(Failure::busy("the instance is being updated")),
        Some(Life::Deleting) => Err(Failure::busy("the instance is being deleted")),
        Some(Life::Ready) => Ok(()),
    }
}

fn create(service: &ServiceId, plan: &PlanId, spec: &Spec, record: Option<&Record>) -> Verdict {
    let Some(record) = record else {
        return Verdict::Start;
    };
    let noun = record.key.noun();
    let same = record.service == *service
        && record.plan == *plan
        && record
            .spec
            .as_ref()
            .is_some_and(|stored| stored.same_as(spec));
    match (record.life, same) {
        (Life::Gone, _) | (Life::Failed, true) => Verdict::Start,
        (Life::Deleting, _) => {
            Verdict::Refuse(Failure::busy(format!("the {noun} is being deleted")))
        }
        (_, false) => Verdict::Refuse(Failure::conflict(format!(
            "this {noun} id exists with other attributes: send the same service, plan, place and \
             parameters, or use another id"
        ))),
        (Life::Creating, true) => running(record),
        (Life::Ready | Life::Updating, true) => Verdict::Exists,
    }
}

fn update(change: &Change, record: Option<&Record>) -> Verdict {
    let Some(record) = record else {
        return Verdict::Refuse(not_found("there is no such instance: provision it first"));
    };
    match record.life {
        Life::Gone => Verdict::Refuse(not_found("the instance was deleted")),
        Life::Failed => Verdict::Refuse(Failure::refused(
            "the instance was never finished: delete it and provision it again",
        )),
        Life::Creating => Verdict::Refuse(Failure::busy("the instance is still being created")),
        Life::Deleting => Verdict::Refuse(Failure::busy("the instance is being deleted")),
        Life::Updating => {
            let asked = record.op.as_ref().and_then(|op| op.intent.as_ref());
            if asked.and_then(|intent| intent.change.as_ref()) == Some(change) {
                running(record)
            } else {
                Verdict::Refuse(Failure::busy("another update of the instance is under way"))
            }
        }
        Life::Ready => Verdict::Start,
    }
}

fn delete(record: Option<&Record>) -> Verdict {
    let Some(record) = record else {
        return Verdict::Refuse(gone());
    };
    match record.life {
        Life::Gone => Verdict::Refuse(gone()),
        Life::Creating => Verdict::Halt,
        Life::Updating => Verdict::Refuse(Failure::busy("the instance is being updated")),
        Life::Deleting => running(record),
        Life::Ready | Life::Failed => Verdict::Start,
    }
}

fn running(record: &Record) -> Verdict {
    match &record.op {
        Some(op) => Verdict::Running(op.clone()),
        None => Verdict::Refuse(Failure::busy("an operation is under way")),
    }
}

/// 410, with the empty object that the protocol wants.
pub(crate) fn gone() -> Failure {
    Failure::with(http::StatusCode::GONE, ErrorBody::default())
}

/// 404 with a sentence.
pub(crate) fn not_found(description: &str) -> Failure {
    Failure::with(http::StatusCode::NOT_FOUND, ErrorBody::new(description))
}

/// 422 `AsyncRequired`.
pub(crate) fn async_required() -> Failure {
    Failure::with(
        http::StatusCode::UNPROCESSABLE_ENTITY,
        ErrorBody::word(
            ErrorWord::AsyncRequired,
            "this plan works asynchronously only: send accepts_incomplete=true and poll last_operation",
        ),
    )
}
