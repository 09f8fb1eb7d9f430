//! Something is removed with all that depends on it: platforms, instances, tenants. And what is kept of it afterwards.
//!
//! The rule: the broker's own memory and the manager's REST answers are the two records; every test but those of force
//! ends with the two saying the same.

mod instances;
mod kill;
mod platforms;
mod replicas;
mod retention;
mod tenants;

use crate::harness::answer::{items, text};
use crate::harness::wait::within;
use crate::harness::{Answer, Client, Engine, Setup, query};
use crate::osb::world::{self, World};
use qm_testkit::hostile::{Fault, HostileBroker};
use quartermaster_osb::Verb;
use serde_json::{Value, json};
use std::time::Duration;

/// A cascade is many calls, and the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(180);

/// Settings under which what the manager does by itself is done soon, whatever brokers do.
fn quick(engine: Engine) -> Setup {
    world::quick(engine)
        .set("QM_OPERATIONS_FIRST_POLL", "50ms")
        .set("QM_OPERATIONS_SLOWEST_POLL", "200ms")
        .set("QM_BROKERS_BREAKER_FAILURES", "100000")
}

async fn start(engine: Engine) -> World {
    World::on(quick(engine)).await
}

/// Instances of the world's platform, the first of which has two bindings; their ids.
async fn populate(world: &World, prefix: &str, many: usize) -> Vec<String> {
    let door = world.door();
    let mut ids = Vec::new();
    for n in 0..many {
        let id = format!("{prefix}-{n}");
        door.provision(&id).await.expect(201);
        ids.push(id);
    }
    for n in 0..2 {
        let binding = format!("{prefix}-0-b{n}");
        door.bind(&ids[0], &binding).await.expect(201);
    }
    ids
}

/// Asks for a removal with all that depends on it.
async fn cascade(client: &Client, path: &str) -> Answer {
    client.delete(&format!("{path}?cascade=true")).await
}

/// The operation when it has ended.
async fn end(client: &Client, location: &str) -> Value {
    within(PATIENCE, "the cascade ends", async || {
        let operation = client.get(location).await.expect(200);
        let state = text(&operation, "state");
        matches!(state.as_str(), "succeeded" | "failed").then_some(operation)
    })
    .await
}

#[track_caller]
fn succeeded(operation: &Value) {
    assert_eq!(operation["state"], "succeeded", "{operation:#}");
}

/// The broker asks to come back later, for every deletion, until it [behaves](HostileBroker::behave).
fn puts_off(broker: &HostileBroker) {
    for verb in [Verb::Unbind, Verb::Deprovision] {
        let later = Fault::answer(422, json!({"error": "ConcurrencyError"}));
        broker.on(verb).always().then(later);
    }
}

/// All operations of a tree.
async fn tree(client: &Client, root: &str) -> Vec<Value> {
    let criterion = format!("cascade_root_id eq '{root}'");
    let path = query(
        "/v1/operations",
        &[("fieldQuery", &criterion), ("max_items", "200")],
    );
    items(&client.get(&path).await.expect(200))
}

/// Errors of a failed cascade as `parent > resource`, sorted.
#[track_caller]
fn told(operation: &Value) -> Vec<String> {
    let errors = operation["errors"]["cascade_errors"].as_array();
    let errors = errors.unwrap_or_else(|| panic!("no cascade_errors in {operation:#}"));
    let mut told: Vec<String> = errors
        .iter()
        .map(|error| {
            for field in ["parent_type", "resource_type", "message"] {
                assert!(!text(error, field).is_empty(), "{field} in {error}");
            }
            let (parent, resource) = (text(error, "parent_id"), text(error, "resource_id"));
            format!("{parent} > {resource}")
        })
        .collect();
    told.sort();
    told
}
