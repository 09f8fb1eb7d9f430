//! Removes platforms that have no instances any more. Their visibilities and credentials go with them.

use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome};
use qm_model::operation::{Operation, State, Verb};
use qm_model::platform::Platform;
use qm_model::{Ctx, Error, Kind, Query, Time};
use qm_store::{Tx, audit, operation, platform, resource};

/// Removes a platform. What has instances goes by a [cascade](crate::cascade) only.
///
/// # Errors
/// 404 (also for the manager itself), 409 when it has instances.
pub async fn remove(deeds: &Lifecycle, ctx: &Ctx, id: &str) -> Result<Operation, Error> {
    let permit = qm_policy::change(ctx, Kind::Platform, &deeds.settings.policy)?;
    let (deeds2, ctx, id, scope) = (
        deeds.clone(),
        ctx.clone(),
        id.to_owned(),
        permit.scope().clone(),
    );
    deeds
        .store
        .change(&permit, async move |tx| {
            let platform = super::to_change(tx, &scope, &id).await?;
            gone(tx, &deeds2, &ctx, &platform, deeds2.now()).await
        })
        .await
}

/// Removes every platform that matches, or none.
///
/// # Errors
/// 404 when nothing matches, 409 when one of them has instances.
pub async fn remove_many(deeds: &Lifecycle, ctx: &Ctx, query: Query) -> Result<(), Error> {
    let permit = qm_policy::change(ctx, Kind::Platform, &deeds.settings.policy)?;
    let (deeds2, ctx, scope) = (deeds.clone(), ctx.clone(), permit.scope().clone());
    deeds
        .store
        .change(&permit, async move |tx| {
            let mut platforms = resource::matching::<Platform>(tx, &scope, &query).await?;
            platforms.retain(|platform| !platform.is_manager());
            if platforms.is_empty() {
                return Err(Error::Missing(Kind::Platform));
            }
            for platform in &platforms {
                gone(tx, &deeds2, &ctx, platform, deeds2.now()).await?;
            }
            Ok(())
        })
        .await
}

async fn gone(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    platform: &Platform,
    now: Time,
) -> Result<Operation, Error> {
    if let Some(other) = operation::under_way(tx, Kind::Platform, platform.id.as_str()).await? {
        return Err(Error::Unprocessable {
            word: "ConcurrentOperationInProgress",
            message: format!(
                "operation {} on this platform is in progress; wait for it to end",
                other.id
            ),
        });
    }
    if platform::has_instances(tx, &platform.id).await? {
        return Err(Error::in_use(format!(
            "the platform {:?} has service instances; delete them first",
            platform.name
        )));
    }
    let id = platform.id.as_str();
    let last = crate::operation::fresh(
        deeds,
        ctx,
        Verb::Delete,
        Kind::Platform,
        id,
        State::Succeeded,
        now,
    );
    operation::record(tx, &last, crate::broker::intent::tenant(ctx).as_deref()).await?;
    take_away(tx, ctx, platform, now).await?;
    Ok(last)
}

/// Removes the row, and writes that down. Cascades call it as well.
///
/// # Errors
/// The store's; a foreign key when there are instances.
pub(crate) async fn take_away(
    tx: &Tx<'_>,
    ctx: &Ctx,
    platform: &Platform,
    now: Time,
) -> Result<(), Error> {
    platform::delete(tx, &platform.id).await?;
    let entry = Entry::of(
        ctx,
        now,
        "delete",
        Some(Kind::Platform),
        platform.id.as_str(),
        Outcome::Succeeded,
        format!("platform {:?}", platform.name),
    );
    Ok(audit::append(tx, &entry).await?)
}
