//! Takes a new catalog into the store, inside the transaction of whoever asked for it.
//!
//! The rule: a plan with instances is never taken away, one with shared instances stays one that can be shared, and
//! nobody keeps a visibility of a plan that is gone without having heard so.

use super::merge::{self, Merged};
use crate::Lifecycle;
use crate::tell::{self, BrokerSide, VisibilitySide};
use qm_model::broker::{Broker, Difference};
use qm_model::event::Change;
use qm_model::id::{BrokerId, PlanId, PlatformId};
use qm_model::platform::Platform;
use qm_model::visibility::Visibility;
use qm_model::{Ctx, Error, Query, Time};
use qm_policy::{Scope, recipients, share};
use qm_store::{Tx, catalog, credential, outbox, platform, reference, resource, visibility};
use quartermaster_osb as osb;
use serde_json::Value;
use std::collections::BTreeSet;

/// As many ids as a refusal names, and one more.
const SOME: u32 = 51;

/// What became of a new catalog.
pub(crate) struct Replaced {
    /// How it differs from the stored one.
    pub(crate) difference: Difference,
    /// Why it was not taken, as whoever asked for it is told; then nothing was written.
    pub(crate) blocked: Option<Error>,
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
    if let Some(blocked) = blocked(tx, before, &merged).await? {
        return Ok(Replaced {
            blocked: Some(blocked),
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

/// What runs that the new catalog would break.
async fn blocked(
    tx: &Tx<'_>,
    before: &BrokerSide,
    merged: &Merged,
) -> Result<Option<Error>, Error> {
    let plans = || before.catalog.iter().flat_map(|(_, plans)| plans);
    for (new, _) in &merged.plans {
        let was = plans()
            .find(|old| old.id == new.id)
            .is_some_and(share::is_shareable);
        if was && !share::is_shareable(new) {
            let shared = reference::shared_of(tx, &new.id, SOME).await?;
            let broker = &before.broker.name;
            if let Err(refusal) = share::may_disable(broker, &new.name, &shared) {
                return Ok(Some(refusal.into()));
            }
        }
    }
    let used = catalog::plans_with_instances(tx, &merged.gone_plans).await?;
    Ok((!used.is_empty()).then(|| Error::in_use(taken_away(before, &used))))
}

fn taken_away(before: &BrokerSide, used: &[PlanId]) -> String {
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
        if let Some(old) = visibility_side(before, visibility) {
            for event in tell::visibility(deeds, ctx, Some(&old), None, platforms) {
                outbox::append(tx, &event, now).await?;
            }
        }
    }
    Ok(())
}

/// Tells of a broker's change. Who gains it hears of its visibilities as well; who loses it no longer logs in for it.
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
        outbox::append(tx, &event, now).await?;
        let who = platforms
            .iter()
            .map(|platform| &platform.id)
            .filter(|id| event.audience.includes(id))
            .cloned()
            .collect();
        aftermath(tx, deeds, ctx, event.change, after, &who, now).await?;
    }
    Ok(())
}

/// Tells a platform that was renamed, retyped or given to another tenant what it gains and loses by that.
pub(crate) async fn tell_moved(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    before: &Platform,
    after: &Platform,
    now: Time,
) -> Result<(), Error> {
    let key = &deeds.settings.policy.tenant_label;
    let decides = |platform: &Platform| {
        let tenants = platform.meta.labels.get(key).cloned();
        (
            platform.name.clone(),
            platform.platform_type.clone(),
            tenants,
        )
    };
    if after.technical || decides(before) == decides(after) {
        return Ok(());
    }
    for broker in resource::matching::<Broker>(tx, &Scope::All, &Query::default()).await? {
        if !broker.meta.ready {
            continue;
        }
        let side = BrokerSide {
            catalog: catalog::of_broker(tx, &broker.id).await?,
            broker,
        };
        let Some(change) = recipients::moved(&side.facts(), before, after, key) else {
            continue;
        };
        let who = BTreeSet::from([after.id.clone()]);
        for event in tell::broker_to(deeds, ctx, change, &side, who.clone()) {
            outbox::append(tx, &event, now).await?;
        }
        aftermath(tx, deeds, ctx, change, &side, &who, now).await?;
    }
    Ok(())
}

/// What follows for those who gained or lost a broker.
async fn aftermath(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    change: Change,
    side: &BrokerSide,
    who: &BTreeSet<PlatformId>,
    now: Time,
) -> Result<(), Error> {
    match change {
        Change::Modified => {}
        Change::Deleted => {
            for platform in who {
                credential::delete_of(tx, platform, &side.broker.id).await?;
            }
        }
        Change::Created => {
            for visibility in visibility::of_plans(tx, &side.plan_ids()).await? {
                let Some(shown) = visibility_side(side, visibility) else {
                    continue;
                };
                for event in tell::visibility_to(deeds, ctx, &shown, who) {
                    outbox::append(tx, &event, now).await?;
                }
            }
        }
    }
    Ok(())
}

fn visibility_side(side: &BrokerSide, visibility: Visibility) -> Option<VisibilitySide> {
    let plans = side.catalog.iter().flat_map(|(_, plans)| plans);
    let plan = plans
        .into_iter()
        .find(|plan| plan.id == visibility.plan_id)?;
    Some(VisibilitySide {
        visibility,
        broker: side.broker.clone(),
        plan: plan.clone(),
    })
}
