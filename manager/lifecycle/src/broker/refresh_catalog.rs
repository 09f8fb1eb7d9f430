//! Looks at a broker's catalog without being asked. Called by the tasks.
//!
//! The rule: a change that would take away a plan with instances is not taken over; it is held, shown on the
//! broker, and everything that runs goes on. Nothing here fails a caller; it ends in the broker's state.

use crate::Lifecycle;
use crate::catalog::take;
use qm_model::audit::{Entry, Outcome};
use qm_model::broker::{Access, Broker, CatalogState, HeldChange};
use qm_model::id::BrokerId;
use qm_model::{Chain, Ctx, Error, Kind};
use qm_policy::Scope;
use qm_relay::{Fetched, Target};
use qm_store::{audit, operation, resource};

/// What a look at a catalog found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refreshed {
    /// It is as stored.
    Unchanged,
    /// It differed and was taken over.
    Taken,
    /// It differed and would break what runs.
    Held,
    /// The broker did not answer, or not with a valid catalog.
    Failed,
    /// Somebody else is changing the broker, or it is gone.
    Skipped,
}

/// Looks at a broker's catalog.
///
/// # Errors
/// The store does not answer.
pub async fn refresh_catalog(deeds: &Lifecycle, id: &BrokerId) -> Result<Refreshed, Error> {
    let ctx = Ctx::system("refresh catalog", deeds.fresh());
    let Some((broker, access)) = read(deeds, id).await? else {
        return Ok(Refreshed::Skipped);
    };
    let target = Target {
        id,
        url: &broker.url,
        access: &access,
    };
    let fetched = deeds
        .relay
        .catalog(&target, broker.catalog.etag.as_deref())
        .await;
    let fetched = fetched.map_err(Error::from).and_then(|fetched| {
        if let Fetched::Catalog { raw, .. } = &fetched {
            crate::catalog::check(raw)?;
        }
        Ok(fetched)
    });
    match fetched {
        Ok(Fetched::Unchanged) => {
            let state = CatalogState {
                fetched_at: Some(deeds.now()),
                problem: None,
                // It is the stored catalog again: what was held has been taken back.
                held: None,
                ..broker.catalog.clone()
            };
            set_state(deeds, &ctx, broker, state).await?;
            Ok(Refreshed::Unchanged)
        }
        Ok(Fetched::Catalog { catalog, raw, etag }) => {
            take_over(deeds, &ctx, broker, catalog, raw, etag).await
        }
        Err(error) => {
            tracing::warn!(broker = %id, error = %Chain(&error), "the catalog could not be refreshed");
            let state = CatalogState {
                problem: Some(error.to_string()),
                ..broker.catalog.clone()
            };
            set_state(deeds, &ctx, broker, state).await?;
            Ok(Refreshed::Failed)
        }
    }
}

async fn read(deeds: &Lifecycle, id: &BrokerId) -> Result<Option<(Broker, Access)>, Error> {
    let id = id.clone();
    deeds
        .store
        .read(async move |tx| {
            let Some(broker) = resource::get::<Broker>(tx, &Scope::All, id.as_str()).await? else {
                return Ok(None);
            };
            if !broker.meta.ready {
                return Ok(None);
            }
            let access = qm_store::broker::access(tx, &id).await?;
            Ok(access.map(|access| (broker, access)))
        })
        .await
}

/// Stores how the look went, unless the broker was changed meanwhile: whoever did that has looked as well, and later.
async fn set_state(
    deeds: &Lifecycle,
    ctx: &Ctx,
    seen: Broker,
    state: CatalogState,
) -> Result<(), Error> {
    let permit = qm_policy::change(ctx, Kind::Broker, &deeds.settings.policy)?;
    deeds
        .store
        .change(&permit, async move |tx| {
            let now = resource::get::<Broker>(tx, &Scope::All, seen.id.as_str()).await?;
            if now.is_some_and(|now| now == seen) {
                qm_store::broker::set_catalog_state(tx, &seen.id, &state).await?;
            }
            Ok(())
        })
        .await
}

async fn take_over(
    deeds: &Lifecycle,
    ctx: &Ctx,
    seen: Broker,
    catalog: quartermaster_osb::Catalog,
    raw: serde_json::Value,
    etag: Option<String>,
) -> Result<Refreshed, Error> {
    let permit = qm_policy::change(ctx, Kind::Broker, &deeds.settings.policy)?;
    deeds
        .store
        .change(&permit, {
            let (deeds, ctx, id) = (deeds.clone(), ctx.clone(), seen.id.clone());
            async move |tx| {
                let now = deeds.now();
                let Some(before) = take::side(tx, &id).await? else {
                    return Ok(Refreshed::Skipped);
                };
                // Whoever changes the broker, now or since it was asked, looks at the catalog as well; what was
                // fetched here may come from its old address.
                if before.broker != seen {
                    return Ok(Refreshed::Skipped);
                }
                if operation::under_way(tx, Kind::Broker, id.as_str())
                    .await?
                    .is_some()
                {
                    return Ok(Refreshed::Skipped);
                }
                let merged = take::replace(tx, &deeds, &ctx, &before, &catalog, &raw, now).await?;
                if let Some(blocked) = merged.blocked {
                    let reason = blocked.to_string();
                    let first = before.broker.catalog.held.clone();
                    let held_reason = reason.clone();
                    let state = CatalogState {
                        // The old etag stays: the next look must see the whole catalog again.
                        problem: None,
                        held: Some(HeldChange {
                            at: first.as_ref().map_or(now, |held| held.at),
                            reason,
                            difference: merged.difference,
                        }),
                        ..before.broker.catalog
                    };
                    qm_store::broker::set_catalog_state(tx, &id, &state).await?;
                    if first.is_none() {
                        let entry = Entry::of(
                            &ctx,
                            now,
                            "hold",
                            Some(Kind::Broker),
                            id.as_str(),
                            Outcome::Refused,
                            held_reason,
                        );
                        audit::append(tx, &entry).await?;
                    }
                    return Ok(Refreshed::Held);
                }
                let state = CatalogState {
                    etag: etag.clone(),
                    fetched_at: Some(now),
                    ..CatalogState::default()
                };
                qm_store::broker::set_catalog_state(tx, &id, &state).await?;
                if merged.difference.is_empty() {
                    return Ok(Refreshed::Unchanged);
                }
                let after = take::side(tx, &id)
                    .await?
                    .ok_or(Error::Missing(Kind::Broker))?;
                take::tell_change(tx, &deeds, &ctx, &before, &after, now).await?;
                let entry = Entry::of(
                    &ctx,
                    now,
                    "refresh",
                    Some(Kind::Broker),
                    id.as_str(),
                    Outcome::Succeeded,
                    crate::catalog::describe(&merged.difference),
                );
                audit::append(tx, &entry).await?;
                Ok::<_, Error>(Refreshed::Taken)
            }
        })
        .await
}
