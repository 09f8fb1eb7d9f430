//! Somebody has an instance deleted, whichever platform it belongs to.
//!
//! The rule: the row goes when the broker says that the instance is gone, and not before. What depends on it goes
//! first, and is not taken along silently.

use super::reference;
use crate::engine::own::Course;
use crate::engine::{Erasure, Subject, erase_now};
use crate::{Done, How, Lifecycle, Shown, desk};
use qm_model::operation::Family;
use qm_model::{Ctx, Error, Kind};

/// How many of those in the way are named.
const NAMED: u32 = 10;

/// Deletes an instance.
///
/// # Errors
/// 404, 400 while it has bindings or references, 422 while something else is under way, 502 when the broker said no.
pub async fn delete(deeds: &Lifecycle, ctx: &Ctx, id: &str, how: How) -> Result<Done<()>, Error> {
    let permit = qm_policy::door::desk(ctx, Kind::Instance, &deeds.settings.policy)?;
    let instance = desk::instance(deeds, permit.scope(), id).await?;
    let wanted = instance.id.clone();
    let (bindings, references) = deeds
        .store
        .look_up(async move |tx| {
            Ok::<_, Error>(qm_store::instance::dependants(tx, &wanted, NAMED).await?)
        })
        .await?;
    blocked("binding", &bindings)?;
    blocked("reference", &references)?;
    if instance.referenced_instance_id.is_some() {
        return reference::delete(deeds, ctx, instance).await;
    }
    let wish = Erasure {
        subject: Subject::Instance(instance.id.clone()),
        plan: instance.plan_id.clone(),
        target: None,
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

fn blocked(what: &str, ids: &[impl std::fmt::Display]) -> Result<(), Error> {
    if ids.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let more = if ids.len() >= NAMED as usize {
        ", ..."
    } else {
        ""
    };
    Err(Error::invalid(format!(
        "the instance cannot be deleted: it has {what}s; delete them first, or everything at once with cascade=true: {}{more}",
        named.join(", ")
    )))
}
