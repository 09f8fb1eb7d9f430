//! Rules for the plan of an instance that is to change.
//!
//! The rule: who keeps a plan may keep it, also when it is no longer shown to them. Whether it is kept can be known
//! only of an instance that the manager has; of any other the plan must be visible.

use super::provision::{known, required, visible};
use super::{Object, Refusal, Stock, Ware};
use qm_model::Ctx;
use qm_model::instance::Instance;

/// May the platform change this instance to that plan? `None` when the request names no plan.
///
/// # Errors
/// 400 when `service_id` is missing, or on Cloud Foundry the organization; 404 when the broker has no such plan, or
/// the plan is a new one that the platform does not see.
pub fn update<'a>(
    ctx: &Ctx,
    stock: &'a Stock,
    instance: Option<&Instance>,
    service_id: &str,
    plan_id: Option<&str>,
    context: Option<&Object>,
) -> Result<Option<&'a Ware>, Refusal> {
    required("service_id", service_id)?;
    // Empty is how some clients leave it out.
    let Some(plan_id) = plan_id.filter(|id| !id.is_empty()) else {
        return Ok(None);
    };
    let ware = known(stock, service_id, plan_id)?;
    if instance.is_none_or(|instance| instance.plan_id != ware.plan.id) {
        visible(ctx, ware, context)?;
    }
    Ok(Some(ware))
}
