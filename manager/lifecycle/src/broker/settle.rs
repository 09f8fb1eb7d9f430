//! The second half of a deed about a broker: it is asked for its catalog, and the outcome is stored with its
//! event. Run by the deed itself, or by whoever finds the intent of a process that died (`resume`).
//!
//! The rule: the last transaction begins and ends with the fence of the lease, so of two workers that believe to hold
//! it only one can write, and the other is told so and nothing else.

use super::draft::BrokerChange;
use crate::catalog::{merge, take};
use crate::tell::{self, BrokerSide};
use crate::{Lifecycle, Shown};
use qm_model::audit::{Entry, Outcome};
use qm_model::broker::{Access, Broker, CatalogState};
use qm_model::operation::{Operation, State};
use qm_model::{Ctx, Error, Kind};
use qm_policy::{Change, Permit};
use qm_relay::{Fetched, Target};
use qm_store::operation::Held;
use qm_store::{Tx, audit, operation, outbox, platform};

/// Finishes a registration.
pub(super) async fn creation(
    deeds: Lifecycle,
    ctx: Ctx,
    held: Held,
    broker: Broker,
    access: Access,
    keep_on_failure: bool,
) -> Result<Shown<Broker>, Error> {
    let permit = system(&deeds)?;
    let outcome = match holding(&deeds, &held, fetch(&deeds, &broker, &access)).await {
        Ok(found) => {
            let done = deeds.store.change(&permit, {
                let (deeds, ctx, held, broker) =
                    (deeds.clone(), ctx.clone(), held.clone(), broker.clone());
                async move |tx| {
                    operation::hold(tx, &held).await?;
                    let now = deeds.now();
                    let mut broker = broker;
                    broker.meta.ready = true;
                    broker.meta.updated_at = now;
                    broker.catalog = CatalogState {
                        etag: found.etag.clone(),
                        fetched_at: Some(now),
                        ..CatalogState::default()
                    };
                    let merged = merge::merge(
                        &deeds,
                        &broker.id,
                        &[],
                        &[],
                        &found.catalog,
                        &found.raw,
                        now,
                    )?;
                    take::store(tx, &merged).await?;
                    qm_store::broker::update(tx, &broker, None).await?;
                    qm_store::broker::set_catalog_state(tx, &broker.id, &broker.catalog).await?;
                    looked(tx, &deeds, &broker).await?;
                    let new = BrokerSide {
                        catalog: qm_store::catalog::of_broker(tx, &broker.id).await?,
                        broker,
                    };
                    let platforms = platform::receivers(tx).await?;
                    for event in tell::broker(&deeds, &ctx, None, Some(&new), &platforms) {
                        outbox::append(tx, &event, now).await?;
                    }
                    let last =
                        operation::finish(tx, &held, State::Succeeded, None, "", now).await?;
                    audit::append(
                        tx,
                        &entry(&deeds, &ctx, "create", &new.broker, Outcome::Succeeded, ""),
                    )
                    .await?;
                    Ok(Shown {
                        resource: new.broker,
                        last_operation: Some(last),
                    })
                }
            });
            done.await
        }
        Err(error) => Err(error),
    };
    match outcome {
        Ok(shown) => Ok(shown),
        Err(error) => {
            failed(
                &deeds,
                &ctx,
                &permit,
                held,
                &broker,
                "create",
                &error,
                !keep_on_failure,
            )
            .await;
            Err(error)
        }
    }
}

/// Finishes a change.
pub(super) async fn update(
    deeds: Lifecycle,
    ctx: Ctx,
    held: Held,
    broker: Broker,
    access: Access,
    change: BrokerChange,
) -> Result<Shown<Broker>, Error> {
    let permit = system(&deeds)?;
    let mut target = broker.clone();
    if let Some(url) = &change.url {
        target.url.clone_from(url);
    }
    let access = change.access.clone().unwrap_or(access);
    let found = if change.is_labels_only() {
        Ok(None)
    } else {
        holding(&deeds, &held, fetch(&deeds, &target, &access))
            .await
            .map(Some)
    };
    let outcome = match found {
        Ok(found) => {
            let done = deeds.store.change(&permit, {
                let (deeds, ctx, held, id) =
                    (deeds.clone(), ctx.clone(), held.clone(), broker.id.clone());
                let change = change.clone();
                async move |tx| {
                    operation::hold(tx, &held).await?;
                    let now = deeds.now();
                    let found = found.as_ref();
                    let before = take::side(tx, &id)
                        .await?
                        .ok_or(Error::Missing(Kind::Broker))?;
                    let mut broker = before.broker.clone();
                    apply(&mut broker, &change, now)?;
                    if let Some(found) = found {
                        // Also one whose registration had failed: now it has a catalog.
                        broker.meta.ready = true;
                        broker.catalog = CatalogState {
                            etag: found.etag.clone(),
                            fetched_at: Some(now),
                            ..CatalogState::default()
                        };
                        let merged = take::replace(
                            tx,
                            &deeds,
                            &ctx,
                            &before,
                            &found.catalog,
                            &found.raw,
                            now,
                        )
                        .await?;
                        if let Some(blocked) = merged.blocked {
                            return Err(blocked);
                        }
                        looked(tx, &deeds, &broker).await?;
                    }
                    if !qm_store::broker::update(tx, &broker, change.access.as_ref()).await? {
                        return Err(Error::conflict(
                            Kind::Broker,
                            format!("the name {:?} is taken", broker.name),
                        ));
                    }
                    qm_store::broker::set_catalog_state(tx, &id, &broker.catalog).await?;
                    let after = take::side(tx, &id)
                        .await?
                        .ok_or(Error::Missing(Kind::Broker))?;
                    take::tell_change(tx, &deeds, &ctx, &before, &after, now).await?;
                    let last =
                        operation::finish(tx, &held, State::Succeeded, None, "", now).await?;
                    audit::append(
                        tx,
                        &entry(
                            &deeds,
                            &ctx,
                            "update",
                            &after.broker,
                            Outcome::Succeeded,
                            "",
                        ),
                    )
                    .await?;
                    Ok(Shown {
                        resource: after.broker,
                        last_operation: Some(last),
                    })
                }
            });
            done.await
        }
        Err(error) => Err(error),
    };
    match outcome {
        Ok(shown) => {
            // Its connections may still hold the old address or certificate.
            deeds.relay.forget(&broker.id);
            Ok(shown)
        }
        Err(error) => {
            failed(
                &deeds, &ctx, &permit, held, &broker, "update", &error, false,
            )
            .await;
            Err(error)
        }
    }
}

/// The catalog was looked at just now; the tasks need not look again before the next time.
async fn looked(tx: &Tx<'_>, deeds: &Lifecycle, broker: &Broker) -> Result<(), Error> {
    let due = deeds.lease_now().plus(deeds.settings.catalog_interval);
    Ok(qm_store::broker::set_due(tx, &broker.id, due).await?)
}

/// A catalog that was fetched and passed.
#[derive(Clone)]
pub(crate) struct Found {
    pub(crate) catalog: quartermaster_osb::Catalog,
    pub(crate) raw: serde_json::Value,
    pub(crate) etag: Option<String>,
}

/// Keeps the lease while the broker is asked, however long that takes.
async fn holding<T>(deeds: &Lifecycle, held: &Held, asked: impl Future<Output = T>) -> T {
    let mut asked = std::pin::pin!(asked);
    loop {
        tokio::select! {
            answer = &mut asked => return answer,
            () = tokio::time::sleep(deeds.settings.lease / 3) => {
                let until = deeds.lease_now().plus(deeds.settings.lease);
                // Who lost it will be told by the fence.
                if let Err(error) = operation::renew(&deeds.store, held, until).await {
                    tracing::warn!(operation = %held.id, error = %qm_model::Chain(&error), "the lease on an operation could not be renewed");
                }
            }
        }
    }
}

async fn fetch(deeds: &Lifecycle, broker: &Broker, access: &Access) -> Result<Found, Error> {
    let target = Target {
        id: &broker.id,
        url: &broker.url,
        access,
    };
    match deeds.relay.catalog(&target, None).await? {
        Fetched::Catalog { catalog, raw, etag } => {
            crate::catalog::check(&raw)?;
            Ok(Found { catalog, raw, etag })
        }
        Fetched::Unchanged => Err(Error::Broker {
            status: 502,
            message: "the broker answered 304 although no version of its catalog was named"
                .to_owned(),
        }),
    }
}

fn apply(broker: &mut Broker, change: &BrokerChange, now: qm_model::Time) -> Result<(), Error> {
    let BrokerChange {
        name,
        description,
        url,
        access: _, // stored beside the row
        labels,
    } = change;
    if let Some(name) = name {
        broker.name.clone_from(name);
    }
    if let Some(description) = description {
        broker.description.clone_from(description);
    }
    if let Some(url) = url {
        broker.url.clone_from(url);
    }
    broker.meta.labels = broker.meta.labels.apply(labels)?;
    broker.meta.updated_at = now;
    Ok(())
}

/// Stores that it failed. What cannot be stored now is found later by `resume`.
#[expect(
    clippy::too_many_arguments,
    reason = "who failed at what, and what to do about it"
)]
async fn failed(
    deeds: &Lifecycle,
    ctx: &Ctx,
    permit: &Permit<Change>,
    held: Held,
    broker: &Broker,
    action: &'static str,
    error: &Error,
    remove: bool,
) {
    let now = deeds.now();
    let errors = serde_json::json!({"error": error.word(), "description": error.to_string()});
    let record = entry(
        deeds,
        ctx,
        action,
        broker,
        Outcome::Failed,
        &error.to_string(),
    );
    let (id, text) = (broker.id.clone(), error.to_string());
    let stored: Result<Operation, Error> = deeds
        .store
        .change(permit, async move |tx| {
            let last =
                operation::finish(tx, &held, State::Failed, Some(&errors), &text, now).await?;
            if remove {
                qm_store::broker::delete(tx, &id).await?;
            }
            audit::append(tx, &record).await?;
            Ok(last)
        })
        .await;
    if let Err(second) = stored {
        tracing::warn!(broker = %broker.id, error = %qm_model::Chain(&second), "a failed {action} of a broker could not be recorded; it will be taken up again");
    }
}

fn entry(
    deeds: &Lifecycle,
    ctx: &Ctx,
    action: &'static str,
    broker: &Broker,
    outcome: Outcome,
    detail: &str,
) -> Entry {
    let detail = if detail.is_empty() {
        format!("broker {:?}", broker.name)
    } else {
        format!("broker {:?}: {detail}", broker.name)
    };
    Entry::of(
        ctx,
        deeds.now(),
        action,
        Some(Kind::Broker),
        broker.id.as_str(),
        outcome,
        detail,
    )
}

/// The intent was permitted; its end is the manager's own affair, whoever finishes it.
fn system(deeds: &Lifecycle) -> Result<Permit<Change>, Error> {
    let ctx = Ctx::system("settle", String::new());
    qm_policy::change(&ctx, Kind::Broker, &deeds.settings.policy)
}
