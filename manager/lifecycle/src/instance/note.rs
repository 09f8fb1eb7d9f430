//! What every change of an instance that is done at once leaves behind: an operation that has ended, an event and an
//! audit record. Deeds that call no broker write it in their own transaction.

use crate::{Lifecycle, desk};
use qm_model::audit::{Entry, Outcome};
use qm_model::event::{Audience, Change, NewEvent};
use qm_model::id::EventId;
use qm_model::instance::Instance;
use qm_model::operation::{Operation, State, Verb};
use qm_model::{Ctx, Error, Kind};
use qm_store::{Tx, audit, operation, outbox};
use std::collections::BTreeSet;

/// What was done, for the record.
pub(super) struct Noted {
    pub(super) verb: Verb,
    /// The word of the audit log.
    pub(super) action: &'static str,
    pub(super) detail: String,
}

/// Writes it. Gives the operation.
///
/// # Errors
/// The store's.
pub(super) async fn note(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    instance: &Instance,
    noted: Noted,
) -> Result<Operation, Error> {
    let Noted {
        verb,
        action,
        detail,
    } = noted;
    let (now, id) = (deeds.now(), instance.id.as_str());
    let (kind, state) = (Kind::Instance, State::Succeeded);
    let last = crate::operation::fresh(deeds, ctx, verb, kind, id, state, now);
    let tenant = desk::tenant_of(deeds, &instance.meta.labels);
    operation::record(tx, &last, tenant.as_deref()).await?;
    let event = NewEvent {
        id: EventId::stored(deeds.fresh()),
        resource: kind,
        resource_id: id.to_owned(),
        change: match verb {
            Verb::Create => Change::Created,
            Verb::Update => Change::Modified,
            Verb::Delete => Change::Deleted,
        },
        // Nobody outside is told of instances; the console follows them.
        audience: Audience::Only(BTreeSet::new()),
        payload: "{}".to_owned(),
        correlation_id: ctx.correlation_id.clone(),
        broker: None,
    };
    outbox::append(tx, &event, now).await?;
    let outcome = Outcome::Succeeded;
    let entry = Entry::of(ctx, now, action, Some(kind), id, outcome, detail);
    audit::append(tx, &entry).await?;
    Ok(last)
}
