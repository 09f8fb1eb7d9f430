//! Which part of a catalog a platform is shown.
//!
//! The rule: Cloud Foundry keeps visibilities itself and wants every plan that is made for it; all others get what
//! they have a visibility for. An offering without plans is not shown.

use super::{Stock, Ware};
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_model::platform::CLOUDFOUNDRY;
use qm_model::{Caller, Ctx};

/// The offerings and plans that the caller is shown, in the order of the catalog. The manager itself is shown all.
pub fn shown<'a>(ctx: &Ctx, stock: &'a Stock) -> Vec<(&'a Offering, Vec<&'a Plan>)> {
    let mut shown: Vec<(&Offering, Vec<&Plan>)> = Vec::new();
    for ware in stock.wares().iter().filter(|ware| sees(&ctx.caller, ware)) {
        match shown.last_mut() {
            Some((offering, plans)) if offering.id == ware.offering.id => plans.push(&ware.plan),
            _ => shown.push((&ware.offering, vec![&ware.plan])),
        }
    }
    shown
}

fn sees(caller: &Caller, ware: &Ware) -> bool {
    match caller {
        Caller::System(_) => true,
        Caller::Anonymous | Caller::Person(_) => false,
        Caller::Platform(platform) if platform.platform_type == CLOUDFOUNDRY => {
            let rule = ware.plan.platforms();
            rule.supports(&platform.name, &platform.platform_type)
        }
        Caller::Platform(platform) => ware.viewers.platform(&platform.id),
    }
}
