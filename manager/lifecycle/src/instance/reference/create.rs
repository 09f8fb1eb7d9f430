//! Somebody has a reference made. No broker is called, so it is there at once.

use super::find::find;
use crate::instance::NewInstance;
use crate::instance::note::{Noted, note};
use crate::{Done, How, Lifecycle, Mode, Shown, desk, engine};
use qm_model::id::{InstanceId, PlatformId};
use qm_model::instance::Instance;
use qm_model::operation::Verb;
use qm_model::{Ctx, Error, Kind, Meta, Secret};
use qm_policy::door::Ware;
use qm_policy::share::{Consumer, wanted};
use qm_store::Tx;
use qm_store::reference::{self, Kept};
use serde_json::Value;

/// Makes a reference of this plan. The caller has looked at the name, the labels and the plan.
///
/// # Errors
/// 400 for parameters that cannot be, 404 when what is meant is not there for the caller, 409 for a name that is taken.
pub(crate) async fn create(
    deeds: &Lifecycle,
    ctx: &Ctx,
    new: NewInstance,
    ware: &Ware,
    how: How,
) -> Result<Done<Instance>, Error> {
    let permit = qm_policy::change(ctx, Kind::Instance, &deeds.settings.policy)?;
    let NewInstance {
        name,
        plan: _,
        parameters,
        maintenance_info,
        mut labels,
    } = new;
    let tenant = desk::tenant(deeds, ctx, &mut labels)?;
    let meant = wanted(parameters.as_ref().map(Secret::expose))?;
    let key = deeds.settings.policy.tenant_label.clone();
    let consumer = Consumer::asking(ctx, &key, &labels, None);
    let context = desk::context(deeds, tenant.as_deref(), &name, &labels);
    let name_key = desk::instance_key(tenant.as_deref(), &name);
    let row = Instance {
        id: InstanceId::stored(deeds.fresh()),
        name,
        plan_id: ware.plan.id.clone(),
        platform_id: PlatformId::manager(),
        dashboard_url: None,
        maintenance_info,
        context: Some(Value::Object(context)),
        referenced_instance_id: None,
        shared: None,
        usable: true,
        meta: Meta::new(deeds.now(), labels),
    };
    let (deeds2, ctx, offering) = (deeds.clone(), ctx.clone(), ware.offering.id.clone());
    let (row, last) = deeds
        .store
        .change(&permit, async move |tx: &Tx<'_>| {
            let shared = find(tx, &key, &offering, &meant, &consumer).await?;
            let mut row = row.clone();
            let detail = format!("instance {:?} refers to {}", row.name, shared.id);
            row.referenced_instance_id = Some(shared.id);
            match reference::insert(tx, &row, None, Some(&name_key)).await? {
                Kept::Stored => {}
                Kept::NameTaken => return Err(engine::name_taken(Kind::Instance)),
                // Ids are random.
                Kept::IdTaken => return Err(Error::internal("the id of a new instance was taken")),
            }
            let noted = Noted {
                verb: Verb::Create,
                action: "create",
                detail,
            };
            let last = note(tx, &deeds2, &ctx, &row, noted).await?;
            Ok((row, last))
        })
        .await?;
    Ok(match how.mode {
        Mode::Async => Done::Later(last),
        Mode::Sync | Mode::Unspecified => Done::Now(Shown {
            resource: row,
            last_operation: Some(last),
        }),
    })
}
