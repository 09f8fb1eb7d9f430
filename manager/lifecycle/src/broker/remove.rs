//! Removes brokers that nobody uses any more. The broker itself is not called.

use crate::catalog::take;
use crate::tell::{self, BrokerSide};
use crate::{Done, Lifecycle, Shown};
use qm_model::audit::{Entry, Outcome};
use qm_model::broker::Broker;
use qm_model::id::BrokerId;
use qm_model::operation::{Operation, State, Verb};
use qm_model::{Ctx, Error, Kind, Query, Time};
use qm_store::{Tx, audit, operation, outbox, platform, resource};

/// Removes a broker.
///
/// # Errors
/// 404, 409 when it has instances, 422 while another deed on it is under way.
pub async fn remove(deeds: &Lifecycle, ctx: &Ctx, id: &str) -> Result<Done<()>, Error> {
    let permit = qm_policy::change(ctx, Kind::Broker, &deeds.settings.policy)?;
    let now = deeds.now();
    let (broker, last) = deeds
        .store
        .change(&permit, {
            let (deeds, ctx, id, scope) = (
                deeds.clone(),
                ctx.clone(),
                id.to_owned(),
                permit.scope().clone(),
            );
            async move |tx| {
                let broker = resource::get::<Broker>(tx, &scope, &id)
                    .await?
                    .ok_or(Error::Missing(Kind::Broker))?;
                let last = gone(tx, &deeds, &ctx, &broker, now).await?;
                Ok::<_, Error>((broker.id, last))
            }
        })
        .await?;
    deeds.relay.forget(&broker);
    Ok(Done::Now(Shown {
        resource: (),
        last_operation: Some(last),
    }))
}

/// Removes every broker that matches, or none.
///
/// # Errors
/// 404 when nothing matches, 409 when one of them has instances.
pub async fn remove_many(deeds: &Lifecycle, ctx: &Ctx, query: Query) -> Result<(), Error> {
    let permit = qm_policy::change(ctx, Kind::Broker, &deeds.settings.policy)?;
    let now = deeds.now();
    let gone: Vec<BrokerId> = deeds
        .store
        .change(&permit, {
            let (deeds, ctx, scope) = (deeds.clone(), ctx.clone(), permit.scope().clone());
            async move |tx| {
                let brokers = resource::matching::<Broker>(tx, &scope, &query).await?;
                if brokers.is_empty() {
                    return Err(Error::Missing(Kind::Broker));
                }
                for broker in &brokers {
                    gone(tx, &deeds, &ctx, broker, now).await?;
                }
                Ok(brokers.into_iter().map(|broker| broker.id).collect())
            }
        })
        .await?;
    for broker in &gone {
        deeds.relay.forget(broker);
    }
    Ok(())
}

async fn gone(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    broker: &Broker,
    now: Time,
) -> Result<Operation, Error> {
    if let Some(other) = operation::under_way(tx, Kind::Broker, broker.id.as_str()).await? {
        return Err(Error::Unprocessable {
            word: "ConcurrentOperationInProgress",
            message: format!(
                "operation {} on this broker is in progress; wait for it to end",
                other.id
            ),
        });
    }
    take_away(tx, deeds, ctx, broker, now).await?;
    let last = crate::operation::fresh(
        deeds,
        ctx,
        Verb::Delete,
        Kind::Broker,
        broker.id.as_str(),
        State::Succeeded,
        now,
    );
    operation::record(tx, &last, super::intent::tenant(ctx).as_deref()).await?;
    Ok(last)
}

/// Removes the row, with what platforms are told and the audit log keeps. Cascades call it as well.
///
/// # Errors
/// 409 when it has instances.
pub(crate) async fn take_away(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    broker: &Broker,
    now: Time,
) -> Result<(), Error> {
    if qm_store::broker::has_instances(tx, &broker.id).await? {
        return Err(Error::in_use(format!(
            "the broker {:?} has service instances; delete them first",
            broker.name
        )));
    }
    let old = BrokerSide {
        catalog: qm_store::catalog::of_broker(tx, &broker.id).await?,
        broker: broker.clone(),
    };
    let platforms = platform::receivers(tx).await?;
    let plans = old.plan_ids();
    // Visibilities first: who is told that a broker is gone must not hear of its plans afterwards.
    take::drop_visibilities(tx, deeds, ctx, &old, &plans, &platforms, now).await?;
    if broker.meta.ready {
        for event in tell::broker(deeds, ctx, Some(&old), None, &platforms) {
            outbox::append(tx, &event, now).await?;
        }
    }
    qm_store::broker::delete(tx, &broker.id).await?;
    let entry = Entry::of(
        ctx,
        now,
        "delete",
        Some(Kind::Broker),
        broker.id.as_str(),
        Outcome::Succeeded,
        format!("broker {:?}", broker.name),
    );
    Ok(audit::append(tx, &entry).await?)
}
