//! Which instance may move from its platform to the manager itself.

use crate::door::Refusal;
use qm_model::id::PlatformId;
use qm_model::instance::Instance;
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_model::platform::SERVICE_MANAGER;

/// May this instance move to the platform `to`? True: it has to move; false: it is there already.
///
/// # Errors
/// 400, with the word by which clients know why.
pub fn may_transfer(
    enabled: bool,
    instance: &Instance,
    offering: &Offering,
    plan: &Plan,
    to: &str,
) -> Result<bool, Refusal> {
    let refused = |word, what: &str| Err(Refusal::invalid_as("transfer", word, what));
    let manager = PlatformId::manager();
    if to != manager.as_str() {
        let what = format!("an instance can be transferred to the platform {manager} only");
        return refused("InvalidTransfer", &what);
    }
    if instance.platform_id == manager {
        return Ok(false);
    }
    if !enabled {
        return refused(
            "TransferDisabled",
            "transfers are switched off; an operator can switch them on with api.enable_instance_transfer",
        );
    }
    if instance.referenced_instance_id.is_some() {
        return refused(
            "InvalidTransfer",
            "the instance only refers to another one; create a reference where it is needed",
        );
    }
    if !plan.platforms().supports(manager.as_str(), SERVICE_MANAGER) {
        let what = format!("the plan {:?} is not for the platform {manager}", plan.name);
        return refused("UnsupportedPlatform", &what);
    }
    if !offering.allow_context_updates {
        let what = format!(
            "the service {:?} does not let the context of an instance be changed",
            offering.name
        );
        return refused("UnsupportedContextUpdate", &what);
    }
    Ok(true)
}
