//! Takes a new catalog into the store, inside the transaction of whoever asked for it.
//!
//! The rule: a plan with instances is never taken away, and nobody keeps a visibility of a plan that is gone
//! without having heard so.

use super::merge::{self, Merged};
use crate::Lifecycle;
use crate::tell::{self, BrokerSide, VisibilitySide};
use qm_model::broker::{Broker, Difference};
use qm_model::id::{BrokerId, PlanId};
use qm_model::platform::Platform;
use qm_model::{Ctx, Error, Time};
use qm_policy::Scope;
use qm_store::{Tx, catalog, credential, outbox, platform, resource, visibility};
use quartermaster_osb as osb;
use serde_json::Value;

/// What became of a new catalog.
pub(crate) struct Replaced {
    /// How it differs from the stored one.
    pub(crate) difference: Difference,
    /// Why it was not taken; then nothing was written.
    pub(crate) blocked: Option<String>,
}

/// The broker and its catalog as stored.
pub(crate) async fn side(tx: &Tx<'_>, id: &BrokerId) -> Result<Option<BrokerSide>, Error> {
    let Some(broker) = resource::get::<Broker>(tx, &Scope::All, id.as_str()).await? else {
        return Ok(None);
    };
    let catalog = catalog::of_broker(tx, id).await?;
    Ok(Some(BrokerSide { broker, catalog }))
}

/// Writes offerings and plans.
pub(crate) async fn store(tx: &Tx<'_>, merged: &Merged) -> Result<(), Error> {
    for (offering, raw) in &merged.offerings {
        catalog::put_offering(tx, offering, raw).await?;
    }
    for (plan, raw) in &merged.plans {
        catalog::put_plan(tx, plan, raw).await?;
    }
    Ok(())
}

/// Puts a new catalog in the place of the stored one, unless that would break what runs.
pub(crate) async fn replace(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    before: &BrokerSide,
    new: &osb::Catalog,
    raw: &Value,
    now: Time,
) -> Result<Replaced, Error> {
    let id = &before.broker.id;
    let stored_raw = catalog::raw_of_broker(tx, id).await?;
    let merged = merge::merge(deeds, id, &before.catalog, &stored_raw, new, raw, now)?;
    let used = catalog::plans_with_instances(tx, &merged.gone_plans).await?;
    if !used.is_empty() {
        return Ok(Replaced {
            blocked: Some(blocked(before, &used)),
            difference: merged.difference,
        });
    }
    let platforms = platform::receivers(tx).await?;
    drop_visibilities(tx, deeds, ctx, before, &merged.gone_plans, &platforms, now).await?;
    // The gone first: a name may have moved from a plan that goes to one that comes.
    for plan in &merged.gone_plans {
        catalog::delete_plan(tx, plan).await?;
    }
    for offering in &merged.gone_offerings {
        catalog::delete_offering(tx, offering).await?;
    }
    store(tx, &merged).await?;
    Ok(Replaced {
        difference: merged.difference,
        blocked: None,
    })
}

fn blocked(before: &BrokerSide, used: &[PlanId]) -> String {
    let names: Vec<_> = before
        .catalog
        .iter()
        .flat_map(|(offering, plans)| plans.iter().map(move |plan| (offering, plan)))
        .filter(|(_, plan)| used.contains(&plan.id))
        .map(|(offering, plan)| format!("{}/{}", offering.name, plan.name))
        .collect();
    format!(
        "the new catalog of broker {:?} takes away plans that have service instances: {}; delete the instances \
         or bring the plans back",
        before.broker.name,
        names.join(", ")
    )
}

/// Deletes the visibilities of plans that go, and says so to whoever saw them.
pub(crate) async fn drop_visibilities(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    before: &BrokerSide,
    plans: &[PlanId],
    platforms: &[Platform],
    now: Time,
) -> Result<(), Error> {
    for visibility in visibility::of_plans(tx, plans).await? {
        visibility::delete(tx, &visibility.id).await?;
        let plan = before
            .catalog
            .iter()
            .flat_map(|(_, plans)| plans)
            .find(|plan| plan.id == visibility.plan_id);
        if let Some(plan) = plan {
            let old = VisibilitySide {
                visibility,
                broker: before.broker.clone(),
                plan: plan.clone(),
            };
            for event in tell::visibility(deeds, ctx, Some(&old), None, platforms) {
                outbox::append(tx, &event, now).await?;
            }
        }
    }
    Ok(())
}

/// Tells of a broker's change, and forgets what those log in with who no longer have it.
pub(crate) async fn tell_change(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    before: &BrokerSide,
    after: &BrokerSide,
    now: Time,
) -> Result<(), Error> {
    let platforms = platform::receivers(tx).await?;
    let told_before = before.broker.meta.ready.then_some(before);
    for event in tell::broker(deeds, ctx, told_before, Some(after), &platforms) {
        if event.change == qm_model::event::Change::Deleted {
            for platform in platforms
                .iter()
                .filter(|platform| event.audience.includes(&platform.id))
            {
                credential::delete_of(tx, &platform.id, &after.broker.id).await?;
            }
        }
        outbox::append(tx, &event, now).await?;
    }
    Ok(())
}
