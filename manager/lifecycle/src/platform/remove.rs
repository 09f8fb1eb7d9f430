//! Removes platforms that have no instances any more. Their visibilities and credentials go with them.

use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome};
use qm_model::operation::{Operation, State, Verb};
use qm_model::platform::Platform;
use qm_model::{Ctx, Error, Kind, Query, Time};
use qm_store::{Tx, audit, operation, platform, resource};

/// Removes a platform; `cascade` asks for what depends on it to go as well.
///
/// # Errors
/// 404 (also for the manager itself), 409 when it has instances; with `cascade` 422 while its agent is connected,
/// and 501 when it has instances, because those cannot be deleted here yet.
pub async fn remove(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
    cascade: bool,
) -> Result<Operation, Error> {
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
            if cascade {
                check_cascade(tx, &platform).await?;
            }
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

/// Who cascades says that everything on the platform may go; one that is in use is not meant.
async fn check_cascade(tx: &Tx<'_>, platform: &Platform) -> Result<(), Error> {
    if platform.active {
        return Err(Error::Unprocessable {
            word: "UnprocessableEntity",
            message: format!(
                "the platform {:?} is active; disconnect its agent first",
                platform.name
            ),
        });
    }
    if platform::has_instances(tx, &platform.id).await? {
        return Err(Error::NotImplemented(format!(
            "the platform {:?} has service instances; delete them first",
            platform.name
        )));
    }
    Ok(())
}

async fn gone(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    platform: &Platform,
    now: Time,
) -> Result<Operation, Error> {
    if platform::has_instances(tx, &platform.id).await? {
        return Err(Error::in_use(format!(
            "the platform {:?} has service instances; delete them first",
            platform.name
        )));
    }
    platform::delete(tx, &platform.id).await?;
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
    let entry = Entry::of(
        ctx,
        now,
        "delete",
        Some(Kind::Platform),
        id,
        Outcome::Succeeded,
        format!("platform {:?}", platform.name),
    );
    audit::append(tx, &entry).await?;
    Ok(last)
}
