//! Somebody has a binding deleted, whichever platform it belongs to.

use crate::engine::own::Course;
use crate::engine::{Erasure, Subject, erase_now};
use crate::instance::reference;
use crate::{Done, How, Lifecycle, Shown, desk};
use qm_model::operation::Family;
use qm_model::{Ctx, Error, Kind};

/// Deletes a binding.
///
/// # Errors
/// 404, 422 while something else is under way, 502 when the broker said no.
pub async fn delete(deeds: &Lifecycle, ctx: &Ctx, id: &str, how: How) -> Result<Done<()>, Error> {
    let permit = qm_policy::door::desk(ctx, Kind::Binding, &deeds.settings.policy)?;
    let (binding, instance) = desk::binding(deeds, permit.scope(), id).await?;
    let (plan, target) = reference::at_the_broker(deeds, &instance).await?;
    let wish = Erasure {
        subject: Subject::Binding(instance.id, binding.id),
        plan,
        target,
        family: Family::default(),
        force: false,
    };
    match erase_now(deeds, ctx, permit, wish, how).await? {
        Course::Later(operation) => Ok(Done::Later(*operation)),
        Course::Done => Ok(Done::Now(Shown {
            resource: (),
            last_operation: None,
        })),
    }
}
