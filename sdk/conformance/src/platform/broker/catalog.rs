//! Catalogs that are made for cases. Every id is new in every run.

use serde_json::{Value, json};
use uuid::Uuid;

/// Builds the catalog of a case.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plans(pub(crate) fn() -> Value);

impl Plans {
    /// One offering that can do everything, with two plans.
    pub(crate) const USUAL: Self = Self(|| catalog(json!({}), &[json!({}), json!({})]));
    /// Nothing can be fetched, and plans cannot be changed.
    pub(crate) const SEALED: Self = Self(|| {
        let offering = json!({ "instances_retrievable": false, "bindings_retrievable": false, "plan_updateable": false });
        catalog(offering, &[json!({}), json!({})])
    });
    /// Operations may take three seconds.
    pub(crate) const HASTY: Self = Self(|| {
        let plan = json!({ "maximum_polling_duration": 3 });
        catalog(json!({}), &[plan.clone(), plan])
    });
    /// Plans have a maintenance version.
    pub(crate) const MAINTAINED: Self = Self(|| {
        let info = json!({ "version": "1.0.0+verify", "description": "the first" });
        let plan = json!({ "maintenance_info": info });
        catalog(json!({ "plan_updateable": false }), &[plan.clone(), plan])
    });
    /// Bindings can be rotated.
    pub(crate) const ROTATABLE: Self =
        Self(|| catalog(json!({}), &[json!({ "binding_rotatable": true })]));
}

/// One plan as a wish names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) service_id: String,
    pub(crate) service_name: String,
    pub(crate) id: String,
    pub(crate) name: String,
}

impl Plan {
    /// All plans of a catalog, in order.
    pub(crate) fn all(catalog: &Value) -> Vec<Self> {
        let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
        let mut plans = Vec::new();
        for service in list(catalog, "services") {
            for plan in list(&service, "plans") {
                plans.push(Self {
                    service_id: text(&service, "id"),
                    service_name: text(&service, "name"),
                    id: text(&plan, "id"),
                    name: text(&plan, "name"),
                });
            }
        }
        plans
    }
}

/// A catalog with one offering: what is usual, with these fields in place.
pub(crate) fn catalog(offering: Value, plans: &[Value]) -> Value {
    let plans: Vec<Value> = plans.iter().enumerate().map(plan).collect();
    let id = Uuid::new_v4().to_string();
    let usual = json!({
        "name": format!("qm-verify-{}", &id[..8]),
        "id": id,
        "description": "made by smctl verify platform",
        "bindable": true,
        "instances_retrievable": true,
        "bindings_retrievable": true,
        "plan_updateable": true,
        "plans": plans,
    });
    json!({ "services": [over(usual, offering)] })
}

fn plan((number, fields): (usize, &Value)) -> Value {
    let usual = json!({
        "id": Uuid::new_v4().to_string(),
        "name": format!("plan-{}", number + 1),
        "description": "made by smctl verify platform",
        "free": true,
    });
    over(usual, fields.clone())
}

/// The first object with the fields of the second in place of its own.
fn over(mut base: Value, fields: Value) -> Value {
    if let (Some(base), Value::Object(fields)) = (base.as_object_mut(), fields) {
        base.extend(fields);
    }
    base
}

/// What the catalog says of fetching, for the offering with this id.
pub(super) fn retrievable(catalog: &Value, service_id: &str, flag: &str) -> bool {
    let services = catalog["services"].as_array();
    let mut services = services.into_iter().flatten();
    services
        .find(|service| service["id"] == service_id)
        .is_some_and(|service| service[flag] == true)
}
