//! Offerings with their plans, as a marketplace shows them: one request whatever their number.
//!
//! The rule: the plans are those that the caller would get from the list of plans.

use super::list::{list, query};
use crate::{Lifecycle, Shown};
use qm_model::id::OfferingId;
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_model::{Ctx, Error, Kind, Page, PageRequest};
use qm_store::resource;
use std::collections::HashMap;

/// An offering and its plans.
pub type Offered = (Shown<Offering>, Vec<Plan>);

/// A page of offerings, each with its plans; see [`list`](super::list()).
///
/// # Errors
/// 400 for a query that cannot be read.
pub async fn offered(
    deeds: &Lifecycle,
    ctx: &Ctx,
    field: Option<&str>,
    label: Option<&str>,
    page: PageRequest,
    attach: bool,
) -> Result<Page<Offered>, Error> {
    let offerings = list::<Offering>(deeds, ctx, field, label, page, attach).await?;
    let mut plans: HashMap<OfferingId, Vec<Plan>> = HashMap::new();
    if !offerings.items.is_empty() {
        let ids = offerings.items.iter().map(|shown| {
            let id = shown.resource.id.as_str();
            format!("'{}'", id.replace('\'', "''"))
        });
        let ids: Vec<String> = ids.collect();
        let wanted = format!("service_offering_id in ({})", ids.join(","));
        let wanted = query::<Plan>(Some(&wanted), None)?;
        let permit = qm_policy::read(ctx, Kind::Plan, &deeds.settings.policy)?;
        let scope = permit.scope().clone();
        let found = deeds
            .store
            .read(async move |tx| Ok::<_, Error>(resource::matching(tx, &scope, &wanted).await?))
            .await?;
        for plan in found {
            let plan: Plan = plan;
            plans
                .entry(plan.offering_id.clone())
                .or_default()
                .push(plan);
        }
    }
    Ok(offerings.map(|shown| {
        let own = plans.remove(&shown.resource.id).unwrap_or_default();
        (shown, own)
    }))
}
