//! Rules for the plan of a new instance: it is one of the broker's, and the platform may offer it there.

use super::viewers::ORGANIZATION;
use super::{Object, Refusal, Stock, Ware};
use qm_model::platform::CLOUDFOUNDRY;
use qm_model::{Caller, Ctx, Kind};
use serde_json::Value;

/// May the platform make an instance of this plan?
///
/// # Errors
/// 400 when an id is missing, or on Cloud Foundry the organization; 404 when the broker has no such plan or the
/// platform does not see it.
pub fn provision<'a>(
    ctx: &Ctx,
    stock: &'a Stock,
    service_id: &str,
    plan_id: &str,
    context: Option<&Object>,
) -> Result<&'a Ware, Refusal> {
    let ware = known(stock, service_id, plan_id)?;
    visible(ctx, ware, context)?;
    Ok(ware)
}

/// The plan that is meant.
pub(super) fn known<'a>(
    stock: &'a Stock,
    service_id: &str,
    plan_id: &str,
) -> Result<&'a Ware, Refusal> {
    for (name, id) in [("service_id", service_id), ("plan_id", plan_id)] {
        required(name, id)?;
    }
    stock.ware(service_id, plan_id).ok_or_else(|| {
        let what = format!(
            "could not find such {}: the broker has no plan with this service_id and plan_id",
            Kind::Plan.path()
        );
        Refusal::not_found("plan-known", "NotFound", &what)
    })
}

pub(super) fn required(name: &str, value: &str) -> Result<(), Refusal> {
    if value.is_empty() {
        let what = format!("{name} is required and must be a string that is not empty");
        return Err(Refusal::invalid("ids-required", &what));
    }
    Ok(())
}

/// Whether the platform, or on Cloud Foundry the organization, sees the plan. The manager itself sees all.
pub(super) fn visible(ctx: &Ctx, ware: &Ware, context: Option<&Object>) -> Result<(), Refusal> {
    let Caller::Platform(platform) = &ctx.caller else {
        return Ok(());
    };
    let seen = if platform.platform_type == CLOUDFOUNDRY {
        let organization = organization(context)?;
        ware.viewers.organization(&platform.id, organization)
    } else {
        ware.viewers.platform(&platform.id)
    };
    if seen {
        return Ok(());
    }
    let what = format!(
        "could not find such {}: the plan is not visible to this platform",
        Kind::Plan.path()
    );
    Err(Refusal::not_found(
        "plan-visibility",
        "ServicePlanNotFound",
        &what,
    ))
}

fn organization(context: Option<&Object>) -> Result<&str, Refusal> {
    let rule = "organization-required";
    let Some(context) = context else {
        return Err(Refusal::invalid(rule, "missing context in request body"));
    };
    match context.get(ORGANIZATION).and_then(Value::as_str) {
        Some(organization) if !organization.is_empty() => Ok(organization),
        _ => Err(Refusal::invalid(
            rule,
            "organization_guid missing in osb context",
        )),
    }
}
