//! What a broker's catalog becomes in the registry: pure, apart from the fresh ids.
//!
//! The rule: offerings are known by the broker's id of them, plans by the broker's id inside their offering,
//! so that the manager's own ids, labels and visibilities survive every change of name or text. What the manager adds
//! to a catalog is added first, and is then a plan like any other.

use super::reference_plan::{self, Whole};
use crate::Lifecycle;
use qm_model::broker::Difference;
use qm_model::id::{BrokerId, OfferingId, PlanId};
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_model::{Error, Labels, Meta, Time};
use qm_policy::catalog::{Side, difference};
use qm_store::catalog::RawOffering;
use quartermaster_osb as osb;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What to write, what to delete, and how it reads to people.
#[derive(Debug, Clone, Default)]
pub(crate) struct Merged {
    pub(crate) offerings: Vec<(Offering, Value)>,
    pub(crate) plans: Vec<(Plan, Value)>,
    pub(crate) gone_offerings: Vec<OfferingId>,
    pub(crate) gone_plans: Vec<PlanId>,
    pub(crate) difference: Difference,
}

/// Puts a new catalog over the stored one.
pub(crate) fn merge(
    deeds: &Lifecycle,
    broker: &BrokerId,
    stored: &[(Offering, Vec<Plan>)],
    stored_raw: &[RawOffering],
    catalog: &osb::Catalog,
    raw: &Value,
    now: Time,
) -> Result<Merged, Error> {
    let Whole { catalog, raw } = reference_plan::add(stored, catalog, raw, || deeds.fresh())?;
    let new = sides(&raw);
    let old = stored_sides(stored_raw);
    let known: HashMap<&str, &(Offering, Vec<Plan>)> = stored
        .iter()
        .map(|entry| (entry.0.catalog_id.as_str(), entry))
        .collect();
    let mut merged = Merged {
        difference: difference(&old, &new),
        ..Merged::default()
    };
    let mut kept = HashSet::new();
    for offering in &catalog.services {
        let catalog_id = offering.id.as_str();
        let Some(side) = new.get(catalog_id) else {
            continue;
        };
        let before = known.get(catalog_id);
        let id = before.map_or_else(
            || OfferingId::stored(deeds.fresh()),
            |(known, _)| known.id.clone(),
        );
        let plans: &[Plan] = before.map_or(&[], |(_, plans)| plans);
        kept.insert(catalog_id);
        // Rows that say the same are left alone.
        if old.get(catalog_id).is_none_or(|old| old.raw != side.raw) {
            let meta = meta(before.map(|(known, _)| &known.meta), now);
            merged
                .offerings
                .push((row(broker, &id, offering, meta)?, side.raw.clone()));
        }
        merge_plans(
            deeds,
            &id,
            plans,
            old.get(catalog_id),
            side,
            offering,
            now,
            &mut merged,
        )?;
    }
    for (offering, plans) in stored {
        if !kept.contains(offering.catalog_id.as_str()) {
            merged.gone_offerings.push(offering.id.clone());
            merged
                .gone_plans
                .extend(plans.iter().map(|plan| plan.id.clone()));
        }
    }
    Ok(merged)
}

#[expect(
    clippy::too_many_arguments,
    reason = "one offering, before and after, and where to put the result"
)]
fn merge_plans(
    deeds: &Lifecycle,
    offering_id: &OfferingId,
    stored: &[Plan],
    old: Option<&Side>,
    new: &Side,
    offering: &osb::Offering,
    now: Time,
    merged: &mut Merged,
) -> Result<(), Error> {
    let known: HashMap<&str, &Plan> = stored
        .iter()
        .map(|plan| (plan.catalog_id.as_str(), plan))
        .collect();
    for plan in &offering.plans {
        let catalog_id = plan.id.as_str();
        let Some((_, raw)) = new.plans.get(catalog_id) else {
            continue;
        };
        let before = known.get(catalog_id);
        if before.is_some()
            && old
                .and_then(|old| old.plans.get(catalog_id))
                .is_some_and(|(_, old)| old == raw)
        {
            continue;
        }
        let id = before.map_or_else(|| PlanId::stored(deeds.fresh()), |plan| plan.id.clone());
        let meta = meta(before.map(|plan| &plan.meta), now);
        merged
            .plans
            .push((plan_row(offering_id, id, plan, meta)?, raw.clone()));
    }
    for plan in stored {
        if !new.plans.contains_key(&plan.catalog_id) {
            merged.gone_plans.push(plan.id.clone());
        }
    }
    Ok(())
}

fn meta(before: Option<&Meta>, now: Time) -> Meta {
    match before {
        Some(before) => Meta {
            updated_at: now,
            ready: true,
            ..before.clone()
        },
        None => Meta::new(now, Labels::new()),
    }
}

fn row(
    broker: &BrokerId,
    id: &OfferingId,
    offering: &osb::Offering,
    meta: Meta,
) -> Result<Offering, Error> {
    let osb::Offering {
        name,
        id: catalog_id,
        description,
        bindable,
        plans: _,
        tags,
        requires,
        instances_retrievable,
        bindings_retrievable,
        allow_context_updates,
        metadata,
        dashboard_client: _, // only in the sealed text
        plan_updateable,
        extra: _, // only in the sealed text
    } = offering;
    let metadata = metadata.clone().map(Value::Object);
    let data_center = metadata
        .as_ref()
        .and_then(|metadata| metadata.get("data_center"))
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    Ok(Offering {
        id: id.clone(),
        broker_id: broker.clone(),
        name: name.clone(),
        description: description.clone(),
        bindable: *bindable,
        plan_updateable: *plan_updateable,
        instances_retrievable: *instances_retrievable,
        bindings_retrievable: *bindings_retrievable,
        allow_context_updates: *allow_context_updates,
        tags: tags.clone(),
        requires: requires.clone(),
        metadata,
        catalog_id: catalog_id.to_string(),
        catalog_name: name.clone(),
        data_center,
        meta,
    })
}

fn plan_row(
    offering_id: &OfferingId,
    id: PlanId,
    plan: &osb::Plan,
    meta: Meta,
) -> Result<Plan, Error> {
    let osb::Plan {
        id: catalog_id,
        name,
        description,
        metadata,
        free,
        bindable,
        binding_rotatable: _, // read from the text when a binding is rotated
        plan_updateable,
        schemas,
        maximum_polling_duration,
        maintenance_info,
        extra: _, // only in the text
    } = plan;
    let json =
        |value: Option<serde_json::Result<Value>>| value.transpose().map_err(Error::internal);
    Ok(Plan {
        id,
        offering_id: offering_id.clone(),
        name: name.clone(),
        description: description.clone(),
        free: *free,
        bindable: *bindable,
        plan_updateable: *plan_updateable,
        metadata: metadata.clone().map(Value::Object),
        schemas: json(schemas.as_ref().map(serde_json::to_value))?,
        maximum_polling_duration: maximum_polling_duration
            .and_then(|seconds| i64::try_from(seconds).ok()),
        maintenance_info: json(maintenance_info.as_ref().map(serde_json::to_value))?,
        catalog_id: catalog_id.to_string(),
        catalog_name: name.clone(),
        meta,
    })
}

/// The catalog as the broker wrote it, by ids.
fn sides(raw: &Value) -> BTreeMap<String, Side> {
    let services = raw.get("services").and_then(Value::as_array);
    services.into_iter().flatten().filter_map(side).collect()
}

fn side(service: &Value) -> Option<(String, Side)> {
    let mut object = service.as_object()?.clone();
    let plans = object.remove("plans");
    let named = |value: &Value| {
        let id = value.get("id")?.as_str()?.to_owned();
        let name = value.get("name")?.as_str()?.to_owned();
        Some((id, name))
    };
    let raw = Value::Object(object);
    let (id, name) = named(&raw)?;
    let plans = plans
        .as_ref()
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let plans = plans
        .filter_map(|plan| named(plan).map(|(id, name)| (id, (name, plan.clone()))))
        .collect();
    Some((id, Side { name, raw, plans }))
}

fn stored_sides(stored: &[RawOffering]) -> BTreeMap<String, Side> {
    let name = |raw: &Value| {
        raw.get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    stored
        .iter()
        .map(|offering| {
            let plans = offering
                .plans
                .iter()
                .map(|plan| (plan.catalog_id.clone(), (name(&plan.raw), plan.raw.clone())))
                .collect();
            let side = Side {
                name: name(&offering.raw),
                raw: offering.raw.clone(),
                plans,
            };
            (offering.catalog_id.clone(), side)
        })
        .collect()
}
