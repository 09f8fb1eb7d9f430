//! Somebody takes an instance over from its platform: from then on the manager is its platform.
//!
//! The rule: the broker is asked first, by an update with the context that it knows, and the instance moves when the
//! broker has agreed. Nothing is created or deleted there.

use super::change::{Update, send};
use crate::{Done, How, Lifecycle, desk};
use qm_model::id::PlatformId;
use qm_model::instance::Instance;
use qm_model::{Ctx, Error, Kind};

/// Moves an instance to the platform `to`, which can only be the manager.
///
/// # Errors
/// 404, 400 when it cannot move, 409 when its name is taken here, 422 while something else is under way, 502 when the
/// broker said no or broke.
pub async fn transfer(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
    to: &str,
    how: How,
) -> Result<Done<Instance>, Error> {
    let permit = qm_policy::door::desk(ctx, Kind::Instance, &deeds.settings.policy)?;
    let instance = desk::instance(deeds, permit.scope(), id).await?;
    let shown = desk::read::<Instance>(deeds, instance.id.as_str()).await?;
    let view = desk::view_of(deeds, &instance.plan_id).await?;
    let ware = view
        .stock
        .by_plan(&instance.plan_id)
        .ok_or(Error::Missing(Kind::Plan))?;
    let enabled = deeds.settings.instance_transfer;
    if !qm_policy::share::may_transfer(enabled, &instance, &ware.offering, &ware.plan, to)? {
        return Ok(Done::Now(shown));
    }
    super::may_change(
        Kind::Instance,
        instance.meta.ready,
        shown.last_operation.as_ref(),
    )?;
    let update = Update {
        view: view.clone(),
        plan: None,
        name: None,
        labels: None,
        parameters: None,
        maintenance_info: None,
        platform: Some(PlatformId::manager().into()),
    };
    send(deeds, ctx, permit, &instance, update, how).await
}
