//! Brokers for the manager to know: the hostile broker of the test kit, and how it is registered.

use super::answer::{id, items};
use super::{Answer, Client, query};
use qm_testkit::hostile::{Config, HostileBroker};
use quartermaster_osb::Catalog;
use serde_json::{Value, json};

/// A broker that behaves, with user `user` and password `password` and the standard catalog.
pub(crate) async fn broker() -> HostileBroker {
    HostileBroker::start().await.unwrap()
}

/// A broker with this catalog.
pub(crate) async fn broker_with(catalog: &Value) -> HostileBroker {
    let config = Config {
        catalog: read(catalog),
        ..Config::default()
    };
    HostileBroker::start_with(config).await.unwrap()
}

/// A catalog from JSON.
pub(crate) fn read(catalog: &Value) -> Catalog {
    serde_json::from_value(catalog.clone()).unwrap()
}

/// An offering for a catalog.
pub(crate) fn offering(catalog_id: &str, name: &str, plans: &[Value]) -> Value {
    json!({
        "id": catalog_id,
        "name": name,
        "description": format!("the offering {name}"),
        "bindable": true,
        "plans": plans,
    })
}

/// A plan for an offering.
pub(crate) fn plan(catalog_id: &str, name: &str) -> Value {
    json!({
        "id": catalog_id,
        "name": name,
        "description": format!("the plan {name}"),
        "free": true,
    })
}

/// A plan for these platforms only; the key is `supportedPlatforms` or one of its kin.
pub(crate) fn plan_for(catalog_id: &str, name: &str, key: &str, values: &[&str]) -> Value {
    let mut plan = plan(catalog_id, name);
    plan["metadata"] = json!({ key: values });
    plan
}

/// A text in the form of a bcrypt hash, told apart by its beginning.
pub(crate) fn hash(of: &str) -> String {
    let rest: String = of.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("$2a$10${rest:.<53.53}")
}

/// What registers a hostile broker under a name.
pub(crate) fn registration(name: &str, broker: &HostileBroker) -> Value {
    json!({
        "name": name,
        "broker_url": broker.url(),
        "credentials": {"basic": {"username": "user", "password": "password"}},
    })
}

/// Registers a hostile broker; it must succeed.
pub(crate) async fn register(admin: &Client, name: &str, broker: &HostileBroker) -> Value {
    let body = registration(name, broker);
    admin.post("/v1/service_brokers", &body).await.expect(201)
}

/// Registers with labels.
pub(crate) async fn register_labelled(
    admin: &Client,
    name: &str,
    broker: &HostileBroker,
    labels: &Value,
) -> Value {
    let mut body = registration(name, broker);
    body["labels"] = labels.clone();
    admin.post("/v1/service_brokers", &body).await.expect(201)
}

/// The plans of a broker as the manager knows them, in the order of its catalog.
pub(crate) async fn plans(admin: &Client, broker: &Value) -> Vec<Value> {
    let mut plans = Vec::new();
    let criterion = format!("broker_id eq '{}'", id(broker));
    let path = query("/v1/service_offerings", &[("fieldQuery", &criterion)]);
    for offering in items(&admin.get(&path).await.expect(200)) {
        let criterion = format!("service_offering_id eq '{}'", id(&offering));
        let path = query("/v1/service_plans", &[("fieldQuery", &criterion)]);
        plans.extend(items(&admin.get(&path).await.expect(200)));
    }
    plans
}

/// The plan of a broker that its catalog calls so.
pub(crate) async fn plan_named(admin: &Client, broker: &Value, name: &str) -> Value {
    let plans = plans(admin, broker).await;
    let plan = plans.iter().find(|plan| plan["catalog_name"] == name);
    plan.unwrap_or_else(|| panic!("no plan {name} in {plans:?}"))
        .clone()
}

/// Asks for a visibility of a plan; for everybody when there is no platform.
pub(crate) async fn show(admin: &Client, plan: &Value, platform: Option<&str>) -> Answer {
    let mut body = json!({"service_plan_id": id(plan)});
    if let Some(platform) = platform {
        body["platform_id"] = json!(platform);
    }
    admin.post("/v1/visibilities", &body).await
}
