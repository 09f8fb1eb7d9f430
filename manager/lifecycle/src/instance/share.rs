//! Somebody lets others refer to an instance, or no longer.
//!
//! The rule: it is done at once and as often as one likes, and what is referred to stays shared.

use super::change::busy;
use super::note::{Noted, note};
use crate::{Lifecycle, Shown};
use qm_model::instance::Instance;
use qm_model::operation::Verb;
use qm_model::plan::Plan;
use qm_model::{Ctx, Error, Kind};
use qm_policy::{Scope, share as rules};
use qm_store::{Tx, operation, reference, resource, share as table};

/// As many ids as a refusal names, and one more.
const SOME: u32 = 51;

/// Shares an instance, or unshares it.
///
/// # Errors
/// 404, 400 when its plan does not support it or others refer to it, 403 when it was never made, 422 while something
/// is under way.
pub async fn share(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
    shared: bool,
) -> Result<Shown<Instance>, Error> {
    let permit = qm_policy::change(ctx, Kind::Instance, &deeds.settings.policy)?;
    let (deeds2, ctx, id, scope) = (
        deeds.clone(),
        ctx.clone(),
        id.to_owned(),
        permit.scope().clone(),
    );
    deeds
        .store
        .change(&permit, async move |tx: &Tx<'_>| {
            let (mut instance, last) = resource::get_with_last::<Instance>(tx, &scope, &id)
                .await?
                .ok_or(Error::Missing(Kind::Instance))?;
            let plan = plan(tx, &instance).await?;
            rules::may_share(&instance, &plan)?;
            if instance.shared.unwrap_or(false) == shared {
                return Ok(Shown {
                    resource: instance,
                    last_operation: last,
                });
            }
            super::may_change(Kind::Instance, instance.meta.ready, last.as_ref())?;
            if let Some(other) = operation::under_way(tx, Kind::Instance, &id).await? {
                return Err(busy(&other));
            }
            table::hold(tx, &instance.id).await?;
            if !shared {
                rules::may_unshare(&reference::ids(tx, &instance.id, SOME).await?)?;
            }
            let now = deeds2.now();
            table::set(tx, &instance.id, shared, now).await?;
            instance.shared = Some(shared);
            instance.meta.updated_at = now;
            let noted = Noted {
                verb: Verb::Update,
                action: if shared { "share" } else { "unshare" },
                detail: format!("instance {:?}", instance.name),
            };
            let last = note(tx, &deeds2, &ctx, &instance, noted).await?;
            Ok(Shown {
                resource: instance,
                last_operation: Some(last),
            })
        })
        .await
}

/// The plan of an instance.
pub(super) async fn plan(tx: &Tx<'_>, instance: &Instance) -> Result<Plan, Error> {
    resource::get::<Plan>(tx, &Scope::All, instance.plan_id.as_str())
        .await?
        .ok_or(Error::Missing(Kind::Plan))
}
