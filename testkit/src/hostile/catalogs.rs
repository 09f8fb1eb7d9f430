//! The catalog of the hostile broker, and the ways it can change under a platform.

use quartermaster_osb::{Catalog, PlanId, ServiceId};
use serde_json::json;

/// Id of the standard offering.
pub const SERVICE: &str = "5f0f4a3e-0c2b-4a56-9d5c-7d1e0a9b6c01";
/// Id of its plan that works synchronously.
pub const SYNC_PLAN: &str = "5f0f4a3e-0c2b-4a56-9d5c-7d1e0a9b6c02";
/// Id of its plan that works asynchronously.
pub const ASYNC_PLAN: &str = "5f0f4a3e-0c2b-4a56-9d5c-7d1e0a9b6c03";

/// One offering with a synchronous and an asynchronous plan; everything optional is allowed.
pub fn standard_catalog() -> Catalog {
    let plan = |id: &str, name: &str| {
        json!({
            "id": id,
            "name": name,
            "description": format!("works in the {name} way"),
            "free": true,
            "binding_rotatable": true,
            "maintenance_info": {"version": "1.0.0"},
        })
    };
    let catalog = json!({"services": [{
        "id": SERVICE,
        "name": "hostile",
        "description": "behaves until told otherwise",
        "bindable": true,
        "plan_updateable": true,
        "instances_retrievable": true,
        "bindings_retrievable": true,
        "allow_context_updates": true,
        "plans": [plan(SYNC_PLAN, "sync"), plan(ASYNC_PLAN, "async")],
    }]});
    // An empty catalog would fail the first test that looks at it.
    serde_json::from_value(catalog).unwrap_or_default()
}

/// The same catalog without one plan.
pub fn without_plan(catalog: &Catalog, plan: &str) -> Catalog {
    let mut catalog = catalog.clone();
    for offering in &mut catalog.services {
        offering.plans.retain(|known| known.id.as_str() != plan);
    }
    catalog
}

/// The same names with other ids: to a platform, other offerings and other plans.
pub fn with_other_ids(catalog: &Catalog) -> Catalog {
    let mut catalog = catalog.clone();
    for offering in &mut catalog.services {
        if let Ok(id) = ServiceId::new(format!("{}-other", offering.id)) {
            offering.id = id;
        }
        for plan in &mut offering.plans {
            if let Ok(id) = PlanId::new(format!("{}-other", plan.id)) {
                plan.id = id;
            }
        }
    }
    catalog
}
