//! Rules for the plan of a new binding: it is one of the broker's. Who has an instance may bind it, whether or not
//! its plan is still shown to them.

use super::provision::known;
use super::{Refusal, Stock, Ware};
use qm_model::Ctx;

/// May the platform bind to an instance of this plan?
///
/// # Errors
/// 400 when an id is missing, 404 when the broker has no such plan.
pub fn bind<'a>(
    _: &Ctx,
    stock: &'a Stock,
    service_id: &str,
    plan_id: &str,
) -> Result<&'a Ware, Refusal> {
    known(stock, service_id, plan_id)
}
