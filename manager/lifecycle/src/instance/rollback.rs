//! Somebody takes back a change that failed: the broker is asked for the last good values.

use super::change::{Update, last_good, send};
use super::retry::nothing;
use crate::{Done, How, Lifecycle, Shown, desk};
use qm_model::instance::Instance;
use qm_model::operation::{State, Verb};
use qm_model::{Ctx, Error, Kind, Secret};

/// Brings an instance back to what the broker confirmed last.
///
/// # Errors
/// 404; 422 when its last change did not fail, or something is under way; 502 when the broker said no.
pub async fn rollback(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
    how: How,
) -> Result<Done<Instance>, Error> {
    let permit = qm_policy::door::desk(ctx, Kind::Instance, &deeds.settings.policy)?;
    let instance = desk::instance(deeds, permit.scope(), id).await?;
    let Shown {
        resource,
        last_operation,
    } = desk::read::<Instance>(deeds, instance.id.as_str()).await?;
    let failed =
        last_operation.is_some_and(|last| last.verb == Verb::Update && last.state == State::Failed);
    if !failed {
        return Err(nothing(
            "its last change did not fail; there is nothing to take back",
        ));
    }
    let update = Update {
        view: desk::view_of(deeds, &resource.plan_id).await?,
        // The record has the old plan; the broker may have the new one.
        plan: Some(resource.plan_id.clone()),
        name: None,
        labels: None,
        parameters: last_good(deeds, &resource).await?.map(Secret::new),
        maintenance_info: resource.maintenance_info.clone(),
        platform: None,
    };
    send(deeds, ctx, permit, &resource, update, how).await
}
