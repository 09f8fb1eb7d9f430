//! Catalogs that tell their version in every part, so that a mixture of two can be seen.

use crate::harness::brokers::{offering, plan, plan_for, read};
use quartermaster_osb::Catalog;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The version of a catalog; its shape follows from it: plans and offerings come and go, and so do the platforms that
/// they are for. Ids begin with `prefix`.
pub(super) fn catalog(prefix: &str, version: u64) -> Catalog {
    let offerings: Vec<Value> = (0..=version % 2)
        .map(|service| {
            let id = format!("{prefix}-s{service}");
            let plans: Vec<Value> = (0..2 + version % 3)
                .map(|number| versioned(&format!("{id}-p{number}"), number, version))
                .collect();
            let mut offering = offering(&id, &id, &plans);
            offering["description"] = json!(format!("version {version}"));
            offering
        })
        .collect();
    read(&json!({ "services": offerings }))
}

/// Of five versions one is for Kubernetes only, one for Cloud Foundry only; in the others each plan has its own rule.
fn versioned(id: &str, number: u64, version: u64) -> Value {
    let types: &[&str] = match (version % 5, (version + number) % 3) {
        (0, _) | (2.., 0) => &["kubernetes"],
        (1, _) | (2.., 1) => &["cloudfoundry", "abap"],
        _ => &[],
    };
    let mut plan = plan_for(id, id, "supportedPlatforms", types);
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
