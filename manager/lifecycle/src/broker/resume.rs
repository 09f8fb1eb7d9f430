//! Goes on with what a dead process began: its lease ran out, the intent tells what was wanted. Called by the
//! tasks. Asking for a catalog changes nothing at the broker, so it is simply asked again. The audit log names who began
//! it, not who finished it.

use super::{BrokerChange, intent, settle};
use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome};
use qm_model::broker::Broker;
use qm_model::operation::{State, Verb};
use qm_model::{Ctx, Error, Kind};
use qm_policy::Scope;
use qm_store::operation::Taken;

/// Takes up an operation on a broker whose lease was just claimed.
///
/// # Errors
/// Why it failed; that is also recorded in the operation.
pub async fn resume(deeds: &Lifecycle, taken: Taken) -> Result<(), Error> {
    let Taken {
        held,
        operation,
        work,
        keep_on_failure,
        phase: _,
        broker_id: _,
        broker_operation: _,
    } = taken;
    let (ctx, work) = intent::begun(&operation, &work);
    let found = deeds
        .store
        .read({
            let id = operation.resource_id.clone();
            async move |tx| {
                let broker = qm_store::resource::get::<Broker>(tx, &Scope::All, &id).await?;
                let access = match &broker {
                    Some(broker) => qm_store::broker::access(tx, &broker.id).await?,
                    None => None,
                };
                Ok::<_, Error>(broker.zip(access))
            }
        })
        .await?;
    let overdue = operation
        .deadline
        .is_some_and(|deadline| deadline < deeds.lease_now());
    match (operation.verb, found) {
        (Verb::Create, Some((broker, access))) if !overdue => {
            settle::creation(deeds.clone(), ctx, held, broker, access, keep_on_failure)
                .await
                .map(drop)
        }
        (Verb::Update, Some((broker, access))) if !overdue => {
            let change: BrokerChange = serde_json::from_str(&work).map_err(Error::internal)?;
            settle::update(deeds.clone(), ctx, held, broker, access, change)
                .await
                .map(drop)
        }
        (verb, found) => {
            let own = Ctx::system("resume", operation.correlation_id.clone());
            let permit = qm_policy::change(&own, Kind::Broker, &deeds.settings.policy)?;
            let unfinished = found
                .map(|(broker, _)| broker)
                .filter(|broker| verb == Verb::Create && !broker.meta.ready && !keep_on_failure);
            let now = deeds.now();
            let (word, why) = if overdue {
                (
                    "Timeout",
                    "the operation was not finished before its deadline",
                )
            } else {
                ("NotFound", "the broker is no longer there")
            };
            let entry = Entry::of(
                &ctx,
                now,
                verb.word(),
                Some(Kind::Broker),
                operation.resource_id,
                Outcome::Failed,
                why,
            );
            deeds
                .store
                .change(&permit, async move |tx| {
                    let errors = serde_json::json!({"error": word, "description": why});
                    qm_store::operation::finish(tx, &held, State::Failed, Some(&errors), why, now)
                        .await?;
                    if let Some(broker) = &unfinished {
                        qm_store::broker::delete(tx, &broker.id).await?;
                    }
                    Ok(qm_store::audit::append(tx, &entry).await?)
                })
                .await
        }
    }
}
