//! Whose instance it is. An instance that the manager does not know is the broker's affair: it may be older than the
//! manager.

use super::Refusal;
use qm_model::instance::Instance;
use qm_model::{Caller, Ctx, Kind};

/// May the caller speak of this instance?
///
/// # Errors
/// 404 when it is another platform's.
pub fn own(ctx: &Ctx, instance: Option<&Instance>) -> Result<(), Refusal> {
    let Some(instance) = instance else {
        return Ok(());
    };
    let own = match &ctx.caller {
        Caller::System(_) => true,
        Caller::Platform(platform) => platform.id == instance.platform_id,
        Caller::Anonymous | Caller::Person(_) => false,
    };
    if own {
        return Ok(());
    }
    Err(Refusal::missing("instance-platform", Kind::Instance))
}
