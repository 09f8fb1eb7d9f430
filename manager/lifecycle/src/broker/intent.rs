//! The intent of a deed about a broker: an operation that is stored before the broker is called.

use crate::Lifecycle;
use qm_model::id::BrokerId;
use qm_model::operation::{Operation, State, Verb};
use qm_model::{Caller, Ctx, Error, Kind, Time};
use qm_store::operation::{Began, Held, NewOperation};
use qm_store::{Tx, operation};

/// A fresh operation about a broker.
pub(super) fn fresh(
    deeds: &Lifecycle,
    ctx: &Ctx,
    verb: Verb,
    id: &BrokerId,
    now: Time,
) -> Operation {
    crate::operation::fresh(
        deeds,
        ctx,
        verb,
        Kind::Broker,
        id.as_str(),
        State::InProgress,
        now,
    )
}

/// Stores the intent and takes the lease on it.
pub(super) async fn store(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    operation: &Operation,
    work: Vec<u8>,
    keep_on_failure: bool,
) -> Result<Held, Error> {
    let now = deeds.lease_now();
    let new = NewOperation {
        operation: Operation {
            deadline: Some(now.plus(deeds.settings.deadline)),
            due_at: Some(now),
            ..operation.clone()
        },
        tenant: tenant(ctx),
        work,
        keep_on_failure,
        owner: deeds.settings.replica.clone(),
        lease_until: now.plus(deeds.settings.lease),
    };
    match operation::insert(tx, &new).await? {
        Began::Begun(held) => Ok(held),
        Began::Busy(other) => Err(Error::Unprocessable {
            word: "ConcurrentOperationInProgress",
            message: format!(
                "another operation ({}, {}) on this {} is in progress since {}; wait for it to end",
                other.verb.word(),
                other.id,
                other.resource_kind,
                other.created_at
            ),
        }),
    }
}

pub(crate) fn tenant(ctx: &Ctx) -> Option<String> {
    match &ctx.caller {
        Caller::Person(person) => person.tenant.clone(),
        _ => None,
    }
}
