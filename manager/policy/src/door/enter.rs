//! Who may stand at a door at all. Every verb asks this first.

use super::{Refusal, Stock};
use crate::permit::Door;
use crate::{Permit, Scope, Settings};
use qm_model::ctx::PlatformCaller;
use qm_model::{Caller, Ctx, Kind};

/// May the caller speak to this broker? `mutating` is true of POST, PUT and PATCH: a platform that is suspended may
/// still look and clean up.
///
/// # Errors
/// 401 for anyone but a platform, 400 for a suspended one that would change something, 404 for a broker that only
/// other tenants may see.
pub fn enter(
    ctx: &Ctx,
    stock: &Stock,
    mutating: bool,
    settings: &Settings,
) -> Result<Permit<Door>, Refusal> {
    let platform = match &ctx.caller {
        Caller::System(_) => return Ok(Permit::new(Scope::All)),
        Caller::Platform(platform) => platform,
        Caller::Anonymous | Caller::Person(_) => {
            return Err(Refusal::unauthenticated(
                "platform-only",
                "No authenticated user found: this needs a platform's Basic credentials",
            ));
        }
    };
    if mutating && platform.suspended {
        return Err(Refusal::invalid(
            "platform-suspended",
            "the platform is suspended: nothing can be created or changed from it",
        ));
    }
    if !same_tenant(platform, stock, &settings.tenant_label) {
        return Err(Refusal::missing("broker-tenant", Kind::Broker));
    }
    Ok(Permit::new(crate::access::of_platform(platform, settings)))
}

/// May the caller go on with what a platform began? Only the manager itself may, whatever became of the broker.
///
/// # Errors
/// 401 for anyone else.
pub fn resume(ctx: &Ctx) -> Result<Permit<Door>, Refusal> {
    match &ctx.caller {
        Caller::System(_) => Ok(Permit::new(Scope::All)),
        _ => Err(Refusal::unauthenticated(
            "manager-only",
            "only the manager itself goes on with what others began",
        )),
    }
}

/// A broker of no tenant is for all; a platform of no tenant sees all.
fn same_tenant(platform: &PlatformCaller, stock: &Stock, key: &str) -> bool {
    match stock.broker.meta.labels.get(key) {
        None => true,
        Some(_) if platform.tenants.is_empty() => true,
        Some(owners) => platform.tenants.iter().any(|one| owners.contains(one)),
    }
}
