//! Catalogs that tell their version in every part, so that a mixture of two can be seen.

use crate::harness::brokers::{offering, plan, read};
use quartermaster_osb::Catalog;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The version of a catalog; its shape follows from it: plans and offerings come and go. Ids begin with `prefix`.
pub(super) fn catalog(prefix: &str, version: u64) -> Catalog {
    let offerings: Vec<Value> = (0..=version % 2)
        .map(|service| {
            let id = format!("{prefix}-s{service}");
            let plans: Vec<Value> = (0..2 + version % 3)
                .map(|number| versioned(&format!("{id}-p{number}"), version))
                .collect();
            let mut offering = offering(&id, &id, &plans);
            offering["description"] = json!(format!("version {version}"));
            offering
        })
        .collect();
    read(&json!({ "services": offerings }))
}

fn versioned(id: &str, version: u64) -> Value {
    let mut plan = plan(id, id);
    plan["description"] = json!(format!("version {version}"));
    plan
}

/// The catalog ids of its plans, each with its description.
pub(super) fn plans(prefix: &str, version: u64) -> BTreeMap<String, String> {
    let catalog = catalog(prefix, version);
    let plans = catalog.services.iter().flat_map(|offering| &offering.plans);
    plans
        .map(|plan| (plan.id.to_string(), format!("version {version}")))
        .collect()
}

/// A catalog that stays: so many plans, `{prefix}-p0` and on.
pub(super) fn steady(prefix: &str, plans: usize) -> Value {
    let plans: Vec<Value> = (0..plans)
        .map(|number| plan(&format!("{prefix}-p{number}"), &format!("p{number}")))
        .collect();
    json!({"services": [offering(prefix, prefix, &plans)]})
}
