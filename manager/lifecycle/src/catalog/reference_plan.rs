//! Adds the plan of references to every offering whose instances can be shared, before a catalog is merged.
//!
//! The rule: the plan keeps the id it was first given, whatever the broker does to the others. Platforms and
//! visibilities know it by that id (defect 17), and it goes only when no plan of the offering can be shared.

use qm_model::Error;
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_policy::share;
use quartermaster_osb as osb;
use serde_json::Value;
use std::borrow::Cow;

/// The catalog with its generated plans, read and as text.
pub(crate) struct Whole<'a> {
    pub(crate) catalog: Cow<'a, osb::Catalog>,
    pub(crate) raw: Cow<'a, Value>,
}

/// Adds what is missing. A catalog without anything to share is given back as it is.
///
/// # Errors
/// Ours: a generated plan is a plan.
pub(crate) fn add<'a>(
    stored: &[(Offering, Vec<Plan>)],
    catalog: &'a osb::Catalog,
    raw: &'a Value,
    mut fresh: impl FnMut() -> String,
) -> Result<Whole<'a>, Error> {
    let mut whole = Whole {
        catalog: Cow::Borrowed(catalog),
        raw: Cow::Borrowed(raw),
    };
    let services = raw.get("services").and_then(Value::as_array);
    for (at, service) in services.into_iter().flatten().enumerate() {
        let (Some(id), Some(plans)) = (
            service.get("id").and_then(Value::as_str),
            service.get("plans").and_then(Value::as_array),
        ) else {
            continue;
        };
        // Made with the id it has already; a fresh one is drawn only for an offering that needs it.
        let known = known(stored, id);
        let Some(mut plan) = share::generated(plans, known.unwrap_or_default()) else {
            continue;
        };
        if known.is_none() {
            plan["id"] = Value::from(fresh());
        }
        put(&mut whole, at, id, plan)?;
    }
    Ok(whole)
}

/// The catalog id that an offering's plan of references has.
fn known<'a>(stored: &'a [(Offering, Vec<Plan>)], offering: &str) -> Option<&'a str> {
    let (_, plans) = stored
        .iter()
        .find(|(known, _)| known.catalog_id == offering)?;
    let plan = plans.iter().find(|plan| share::is_reference(plan))?;
    Some(&plan.catalog_id)
}

fn put(whole: &mut Whole<'_>, at: usize, id: &str, plan: Value) -> Result<(), Error> {
    let read: osb::Plan = serde_json::from_value(plan.clone()).map_err(Error::internal)?;
    let offerings = &mut whole.catalog.to_mut().services;
    if let Some(offering) = offerings.iter_mut().find(|known| known.id.as_str() == id) {
        offering.plans.push(read);
    }
    let plans = whole
        .raw
        .to_mut()
        .pointer_mut(&format!("/services/{at}/plans"));
    if let Some(Value::Array(plans)) = plans {
        plans.push(plan);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_model::id::{BrokerId, OfferingId, PlanId};
    use qm_model::{Labels, Meta, Time};
    use serde_json::json;

    fn raw(shared: bool) -> Value {
        let plan = |id: &str, metadata: Value| json!({"id": id, "name": id, "description": "d", "metadata": metadata});
        json!({"services": [
            {"id": "s", "name": "s", "description": "d", "bindable": true, "plans": [
                plan("p", json!({})), plan("q", json!({"supportsInstanceSharing": shared})),
            ]},
            {"id": "t", "name": "t", "description": "d", "bindable": true, "plans": [plan("r", json!({}))]},
        ]})
    }

    fn stored(catalog_id: &str) -> Vec<(Offering, Vec<Plan>)> {
        let meta = Meta::new(Time(0), Labels::new());
        let offering = Offering {
            id: OfferingId::new("o").unwrap(),
            broker_id: BrokerId::new("b").unwrap(),
            name: "s".to_owned(),
            description: String::new(),
            bindable: true,
            plan_updateable: false,
            instances_retrievable: false,
            bindings_retrievable: false,
            allow_context_updates: false,
            tags: Vec::new(),
            requires: Vec::new(),
            metadata: None,
            catalog_id: "s".to_owned(),
            catalog_name: "s".to_owned(),
            data_center: String::new(),
            meta: meta.clone(),
        };
        let plan = Plan {
            id: PlanId::new("own").unwrap(),
            offering_id: offering.id.clone(),
            name: "reference-instance".to_owned(),
            description: String::new(),
            free: true,
            bindable: Some(true),
            plan_updateable: Some(false),
            metadata: None,
            schemas: None,
            maximum_polling_duration: None,
            maintenance_info: None,
            catalog_id: catalog_id.to_owned(),
            catalog_name: "reference-instance".to_owned(),
            meta,
        };
        vec![(offering, vec![plan])]
    }

    fn ids(raw: &Value, service: usize) -> Vec<&str> {
        let plans = raw["services"][service]["plans"].as_array().unwrap();
        plans
            .iter()
            .map(|plan| plan["id"].as_str().unwrap())
            .collect()
    }

    #[test]
    fn an_offering_that_can_be_shared_gets_one_plan_more() {
        let (before, text) = (raw(true), raw(true).to_string());
        let catalog: osb::Catalog = serde_json::from_str(&text).unwrap();
        let whole = add(&[], &catalog, &before, || "fresh".to_owned()).unwrap();
        assert_eq!(ids(&whole.raw, 0), ["p", "q", "fresh"]);
        assert_eq!(ids(&whole.raw, 1), ["r"]);
        let read: Vec<_> = whole.catalog.services[0]
            .plans
            .iter()
            .map(|plan| plan.id.as_str())
            .collect();
        assert_eq!(read, ["p", "q", "fresh"]);
        assert_eq!(whole.catalog.services[1].plans.len(), 1);
        let problems = quartermaster_osb::catalog::problems_of(&whole.raw);
        let must: Vec<_> = problems
            .iter()
            .filter(|problem| problem.level == quartermaster_osb::problem::Level::Must)
            .collect();
        assert!(must.is_empty(), "{must:?}");
    }

    #[test]
    fn defect_17_it_keeps_its_id() {
        let before = raw(true);
        let catalog: osb::Catalog = serde_json::from_value(before.clone()).unwrap();
        let whole = add(&stored("kept"), &catalog, &before, || {
            panic!("no fresh id is needed")
        });
        assert_eq!(ids(&whole.unwrap().raw, 0), ["p", "q", "kept"]);
    }

    #[test]
    fn nothing_is_copied_where_nothing_can_be_shared() {
        let before = raw(false);
        let catalog: osb::Catalog = serde_json::from_value(before.clone()).unwrap();
        let whole = add(&stored("kept"), &catalog, &before, String::new).unwrap();
        assert!(matches!(whole.raw, Cow::Borrowed(_)));
        assert!(matches!(whole.catalog, Cow::Borrowed(_)));
    }
}
