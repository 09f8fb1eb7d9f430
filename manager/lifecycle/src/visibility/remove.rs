//! Takes visibilities away.

use crate::{Lifecycle, tell};
use qm_model::audit::{Entry, Outcome};
use qm_model::operation::{State, Verb};
use qm_model::platform::Platform;
use qm_model::visibility::Visibility;
use qm_model::{Ctx, Error, Kind, Query, Time};
use qm_store::{Tx, audit, operation, outbox, platform, resource, visibility};

/// Takes a visibility away.
///
/// # Errors
/// 404.
pub async fn remove(deeds: &Lifecycle, ctx: &Ctx, id: &str) -> Result<(), Error> {
    let permit = qm_policy::change(ctx, Kind::Visibility, &deeds.settings.policy)?;
    let (deeds2, ctx, id, scope) = (
        deeds.clone(),
        ctx.clone(),
        id.to_owned(),
        permit.scope().clone(),
    );
    deeds
        .store
        .change(&permit, async move |tx| {
            let visibility = resource::get::<Visibility>(tx, &scope, &id)
                .await?
                .ok_or(Error::Missing(Kind::Visibility))?;
            let platforms = platform::receivers(tx).await?;
            gone(tx, &deeds2, &ctx, visibility, &platforms, deeds2.now()).await
        })
        .await
}

/// Takes every visibility that matches away, or none.
///
/// # Errors
/// 404 when nothing matches.
pub async fn remove_many(deeds: &Lifecycle, ctx: &Ctx, query: Query) -> Result<(), Error> {
    let permit = qm_policy::change(ctx, Kind::Visibility, &deeds.settings.policy)?;
    let (deeds2, ctx, scope) = (deeds.clone(), ctx.clone(), permit.scope().clone());
    deeds
        .store
        .change(&permit, async move |tx| {
            let visibilities = resource::matching::<Visibility>(tx, &scope, &query).await?;
            if visibilities.is_empty() {
                return Err(Error::Missing(Kind::Visibility));
            }
            let platforms = platform::receivers(tx).await?;
            for visibility in visibilities {
                gone(tx, &deeds2, &ctx, visibility, &platforms, deeds2.now()).await?;
            }
            Ok(())
        })
        .await
}

async fn gone(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    visibility: Visibility,
    platforms: &[Platform],
    now: Time,
) -> Result<(), Error> {
    let id = visibility.id.clone();
    let old = super::side(tx, visibility).await?;
    visibility::delete(tx, &id).await?;
    for event in tell::visibility(deeds, ctx, Some(&old), None, platforms) {
        outbox::append(tx, &event, now).await?;
    }
    let last = crate::operation::fresh(
        deeds,
        ctx,
        Verb::Delete,
        Kind::Visibility,
        id.as_str(),
        State::Succeeded,
        now,
    );
    operation::record(tx, &last, None).await?;
    let detail = format!("plan {:?} of broker {:?}", old.plan.name, old.broker.name);
    let entry = Entry::of(
        ctx,
        now,
        "delete",
        Some(Kind::Visibility),
        id.as_str(),
        Outcome::Succeeded,
        detail,
    );
    audit::append(tx, &entry).await?;
    Ok(())
}
