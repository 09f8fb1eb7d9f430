//! What of the registry is a platform's business, in the words of the specification and not of the manager's code.

use super::Held;
use crate::harness::Platform;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What decides for which platforms a plan is: the three keys of its metadata.
const KEYS: [&str; 3] = [
    "excludedPlatformNames",
    "supportedPlatformNames",
    "supportedPlatforms",
];

/// The rule in a plan, as a text that can be compared.
pub(super) fn of(plan: &Value) -> String {
    json!(KEYS.map(|key| &plan["metadata"][key])).to_string()
}

/// Whether a plan with this rule is for this platform.
pub(super) fn supports(rule: &str, platform: &Platform) -> bool {
    let rule: [Option<Vec<String>>; 3] = serde_json::from_str(rule).unwrap();
    let [excluded, names, types] = rule.map(|words| words.filter(|words| !words.is_empty()));
    match (excluded, names, types) {
        (Some(excluded), ..) => !excluded.contains(&platform.name),
        (_, Some(names), _) => names.contains(&platform.name),
        (.., Some(types)) => types.contains(&platform.kind),
        _ => true,
    }
}

/// Leaves of what a platform was told what its lists show as well, and the other way round. A visibility is shown also
/// where the broker is none for the platform. Kubernetes is shown what is visible to it, be it meant for it or not, and
/// told of brokers with a plan that is meant for it, be it visible or not.
pub(super) fn leave_what_is_both(held: &mut Held, platform: &Platform) {
    if platform.kind == "kubernetes" {
        let visible: BTreeSet<_> = held.visibilities.values().map(|one| &one.plan).collect();
        for broker in held.brokers.values_mut() {
            broker
                .plans
                .retain(|id, [.., rule]| visible.contains(id) && supports(rule, platform));
        }
        held.brokers.retain(|_, broker| !broker.plans.is_empty());
    }
    let plans: BTreeSet<_> = held
        .brokers
        .values()
        .flat_map(|one| one.plans.keys())
        .collect();
    held.visibilities.retain(|_, one| plans.contains(&one.plan));
}

/// Whether the message gives the platform a plan, meant for it, of a broker that it does not hold.
pub(super) fn is_of_a_stranger(held: &Held, platform: &Platform, message: &Value) -> bool {
    let additional = &message["payload"]["new"]["additional"];
    let broker = additional["broker_id"].as_str();
    message["resource"] == "/v1/visibilities"
        && broker.is_some_and(|broker| !held.brokers.contains_key(broker))
        && supports(&of(&additional["service_plan"]), platform)
}
