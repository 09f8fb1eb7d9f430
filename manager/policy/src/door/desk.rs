//! Rules at the manager's own desk, where people and programs ask for instances and bindings without a platform
//! between: the manager is the platform then.

use super::{Refusal, Ware};
use crate::permit::Door;
use crate::{Permit, Settings};
use qm_model::platform::SERVICE_MANAGER;
use qm_model::{Ctx, Error, Kind};

/// May the caller have brokers called for its instances or bindings?
///
/// # Errors
/// 401 when this needs another proof, 403 when the caller has not the role.
pub fn desk(ctx: &Ctx, kind: Kind, settings: &Settings) -> Result<Permit<Door>, Error> {
    let permit = crate::change(ctx, kind, settings)?;
    Ok(Permit::new(permit.scope().clone()))
}

/// May an instance of this plan be made here, for this tenant? Who has no tenant sees every plan that is made for the
/// manager at all.
///
/// # Errors
/// 404 when the plan is for other platforms, or not shown to the tenant.
pub fn offered(ware: &Ware, tenant_key: &str, tenant: Option<&str>) -> Result<(), Refusal> {
    if !ware
        .plan
        .platforms()
        .supports(SERVICE_MANAGER, SERVICE_MANAGER)
    {
        return Err(hidden("plan-platform", "the plan is for other platforms"));
    }
    match tenant {
        Some(tenant) if !ware.viewers.tenant(tenant_key, tenant) => Err(hidden(
            "plan-visibility",
            "the plan is not visible to this tenant",
        )),
        _ => Ok(()),
    }
}

/// May an instance of one plan become one of the other?
///
/// # Errors
/// 400 when it is another offering's, or the plan's instances keep it.
pub fn plan_change(old: &Ware, new: &Ware) -> Result<(), Refusal> {
    if old.offering.id != new.offering.id {
        return Err(Refusal::invalid(
            "plan-offering",
            "the plan is one of another offering; an instance cannot change its offering",
        ));
    }
    let may = old
        .plan
        .plan_updateable
        .unwrap_or(old.offering.plan_updateable);
    if old.plan.id != new.plan.id && !may {
        return Err(Refusal::invalid(
            "plan-updateable",
            "the plan of this instance cannot be changed (plan_updateable is false)",
        ));
    }
    Ok(())
}

/// May an instance of this plan be bound?
///
/// # Errors
/// 400 when it may not.
pub fn bindable(ware: &Ware) -> Result<(), Refusal> {
    if ware.plan.bindable.unwrap_or(ware.offering.bindable) {
        return Ok(());
    }
    Err(Refusal::invalid(
        "plan-bindable",
        "instances of this plan cannot be bound (bindable is false)",
    ))
}

fn hidden(rule: &'static str, what: &str) -> Refusal {
    let what = format!("could not find such {}: {what}", Kind::Plan.path());
    Refusal::not_found(rule, "NotFound", &what)
}
