//! The catalog of the benchmark's broker: ten offerings with three plans each, about 25 kB, as large brokers have.
//!
//! The broker serves it and the callers take their service and plan ids from it.

use serde_json::{Value, json};

const OFFERINGS: usize = 10;
const PLANS: usize = 3;
/// Filled up to this size with words like those of real catalogs.
const BYTES: usize = 25_000;

/// The offering and the plan that everybody asks for.
pub(crate) const SERVICE: &str = "0f5c0ff1-0005-4000-8000-000000000000";
pub(crate) const PLAN: &str = "0f5c0ff1-0005-4000-8000-000000000000-1";

/// As it goes over the wire.
pub(crate) fn text() -> String {
    let bare = catalog(0).to_string().len();
    catalog(BYTES.saturating_sub(bare) / (OFFERINGS * PLANS)).to_string()
}

fn catalog(filler: usize) -> Value {
    let words: String = "high availability with two replicas and daily backups; "
        .chars()
        .cycle()
        .take(filler)
        .collect();
    let services: Vec<Value> = (0..OFFERINGS)
        .map(|number| offering(number, &words))
        .collect();
    json!({ "services": services })
}

fn offering(number: usize, words: &str) -> Value {
    let id = format!("0f5c0ff1-0005-4000-8000-{number:012}");
    let plans: Vec<Value> = (0..PLANS).map(|plan| a_plan(&id, plan, words)).collect();
    json!({
        "id": id,
        "name": format!("database-{number}"),
        "description": "a relational database",
        "bindable": true,
        "instances_retrievable": true,
        "bindings_retrievable": true,
        "plan_updateable": true,
        "tags": ["database", "relational"],
        "metadata": {"displayName": format!("Database {number}"), "documentationUrl": "https://example.com/docs", "supportUrl": "https://example.com/help"},
        "plans": plans,
    })
}

fn a_plan(offering: &str, number: usize, words: &str) -> Value {
    json!({
        "id": format!("{offering}-{number}"),
        "name": format!("plan-{number}"),
        "description": format!("plan {number} of this database"),
        "free": number == 0,
        "metadata": {"bullets": [words], "costs": [{"amount": {"eur": 9.99}, "unit": "MONTHLY"}]},
        "schemas": {"service_instance": {"create": {"parameters": {
            "$schema": "http://json-schema.org/draft-06/schema#",
            "type": "object",
            "properties": {"size": {"type": "integer", "minimum": 1}, "region": {"type": "string"}},
        }}}},
    })
}
