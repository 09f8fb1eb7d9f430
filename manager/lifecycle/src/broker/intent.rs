//! The intent of a deed about a broker: an operation that is stored before the broker is called. Who began it is stored
//! with it, so that whoever finishes it can write that into the audit log.

use crate::Lifecycle;
use qm_model::ctx::Person;
use qm_model::id::BrokerId;
use qm_model::operation::{Operation, State, Verb};
use qm_model::{Caller, Ctx, Error, Kind, Time};
use qm_store::operation::{Began, Held, NewOperation};
use qm_store::{Tx, operation};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

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
    work: String,
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
        work: remembered(ctx, work)?,
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

/// What a worker needs to go on, with who began it and from where.
///
/// # Errors
/// Ours: it can be written.
pub(crate) fn remembered(ctx: &Ctx, work: String) -> Result<Vec<u8>, Error> {
    Begun::of(ctx, work).to_bytes()
}

/// What the work of an operation on a broker or of a cascade is: who began it and from where, and what the deed needs to go on.
#[derive(Debug, Serialize, Deserialize)]
struct Begun {
    by: Option<By>,
    remote: String,
    /// JSON, or nothing.
    work: String,
}

/// A person, without what it may do: that was asked when it began.
#[derive(Debug, Serialize, Deserialize)]
struct By {
    subject: String,
    name: String,
    issuer: String,
    tenant: Option<String>,
}

impl Begun {
    fn of(ctx: &Ctx, work: String) -> Self {
        let by = match &ctx.caller {
            Caller::Person(person) => Some(By {
                subject: person.subject.clone(),
                name: person.name.clone(),
                issuer: person.issuer.clone(),
                tenant: person.tenant.clone(),
            }),
            // Nobody else changes brokers but the manager itself.
            _ => None,
        };
        Self {
            by,
            remote: ctx.remote.clone(),
            work,
        }
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        serde_json::to_vec(self).map_err(Error::internal)
    }
}

/// The circumstances in which an operation was begun, and what it needs to go on.
pub(crate) fn begun(operation: &Operation, work: &[u8]) -> (Ctx, String) {
    let mut ctx = Ctx::system("resume", operation.correlation_id.clone());
    let Ok(Begun { by, remote, work }) = serde_json::from_slice(work) else {
        // Of a version that did not write down who began it.
        return (ctx, String::from_utf8_lossy(work).into_owned());
    };
    if let Some(By {
        subject,
        name,
        issuer,
        tenant,
    }) = by
    {
        ctx.remote = remote;
        ctx.caller = Caller::Person(Person {
            subject,
            name,
            issuer,
            roles: BTreeSet::new(),
            tenant,
        });
    }
    (ctx, work)
}

pub(crate) fn tenant(ctx: &Ctx) -> Option<String> {
    match &ctx.caller {
        Caller::Person(person) => person.tenant.clone(),
        _ => None,
    }
}
