//! A catalog that moves plans from one offering to another under the same ids. A plan is known by its offering and its
//! id there: one that moves is another plan. Nothing that is in use is lost by it.

use crate::harness::answer::{fields, id};
use crate::harness::brokers::{
    broker_with, offering, plan, plan_named, plans, read, register, show,
};
use crate::harness::{Engine, Manager, Platform, Setup, eventually};
use crate::model_platform::ModelPlatform;
use serde_json::{Value, json};

on_both_engines!(
    a_plan_that_moves_is_another_plan,
    a_plan_in_use_does_not_move,
);

fn catalog(offerings: &[(&str, &[&str])]) -> Value {
    let offerings: Vec<Value> = offerings
        .iter()
        .map(|(name, names)| {
            let plans: Vec<Value> = names.iter().map(|name| plan(name, name)).collect();
            offering(name, name, &plans)
        })
        .collect();
    json!({ "services": offerings })
}

/// Offering and plan of each plan, by the broker's ids.
async fn shape(manager: &Manager, broker: &Value) -> Vec<(String, String)> {
    let mut shape = Vec::new();
    for plan in plans(&manager.admin(), broker).await {
        let path = format!(
            "/v1/service_offerings/{}",
            plan["service_offering_id"].as_str().unwrap()
        );
        let offering = manager.admin().get(&path).await.expect(200);
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        shape.push((word(&offering["catalog_id"]), word(&plan["catalog_id"])));
    }
    shape.sort();
    shape
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect()
}

async fn a_plan_that_moves_is_another_plan(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let mut models = Vec::new();
    for kind in ["cloudfoundry", "kubernetes"] {
        let platform = Platform::register(&manager, kind, kind).await;
        let model = ModelPlatform::start(platform);
        model.connected().await;
        models.push(model);
    }
    let host = broker_with(&catalog(&[("o1", &["p1", "p2"]), ("o2", &["p3"])])).await;
    let made = register(&admin, "db", &host).await;
    for name in ["p1", "p2", "p3"] {
        let plan = plan_named(&admin, &made, name).await;
        show(&admin, &plan, None).await.expect(201);
    }
    let [p1, p2] = [
        plan_named(&admin, &made, "p1").await,
        plan_named(&admin, &made, "p2").await,
    ];
    let path = format!("/v1/service_brokers/{}", id(&made));

    // One goes over.
    host.set_catalog(read(&catalog(&[("o1", &["p1"]), ("o2", &["p2", "p3"])])));
    admin.patch(&path, &json!({})).await.expect(200);
    let wanted = pairs(&[("o1", "p1"), ("o2", "p2"), ("o2", "p3")]);
    assert_eq!(shape(&manager, &made).await, wanted);
    assert_eq!(plan_named(&admin, &made, "p1").await["id"], p1["id"]);
    assert_ne!(plan_named(&admin, &made, "p2").await["id"], p2["id"]);
    // What the old one was shown to is not shown the new one.
    let left = admin.get("/v1/visibilities").await.expect(200);
    assert_eq!(left["num_items"], 2);
    assert!(!fields(&left, "service_plan_id").contains(&id(&p2)));
    for model in &models {
        model.agrees("after one plan has moved").await;
    }

    // Two change places, and at last all are in an offering that is new.
    for (next, wanted) in [
        (
            catalog(&[("o1", &["p3"]), ("o2", &["p2", "p1"])]),
            [("o1", "p3"), ("o2", "p1"), ("o2", "p2")],
        ),
        (
            catalog(&[("o3", &["p1", "p2", "p3"])]),
            [("o3", "p1"), ("o3", "p2"), ("o3", "p3")],
        ),
    ] {
        host.set_catalog(read(&next));
        admin.patch(&path, &json!({})).await.expect(200);
        assert_eq!(shape(&manager, &made).await, pairs(&wanted));
        for model in &models {
            model.agrees("after plans have changed places").await;
            assert_eq!(model.resyncs(), 1);
        }
    }
}

async fn a_plan_in_use_does_not_move(engine: Engine) {
    let manager = Setup::new(engine)
        .set("QM_BROKERS_REFRESH_INTERVAL", "200ms")
        .start()
        .await;
    let admin = manager.admin();
    let host = broker_with(&catalog(&[("o1", &["p1", "p2"]), ("o2", &["p3"])])).await;
    let made = register(&admin, "db", &host).await;
    let used = id(&plan_named(&admin, &made, "p2").await);
    manager.sql(&format!(
        "INSERT INTO instance (id, name, service_plan_id, platform_id, usable, ready, labels, created_at, updated_at) \
         VALUES ('i-1', 'mine', '{used}', 'service-manager', true, true, '{{}}', 0, 0)"
    ));
    let before = shape(&manager, &made).await;
    host.set_catalog(read(&catalog(&[("o1", &["p1"]), ("o2", &["p2", "p3"])])));
    let path = format!("/v1/service_brokers/{}", id(&made));
    let refused = admin.patch(&path, &json!({})).await;
    let told = refused.refused(409, "ExistingReferenceEntity");
    assert!(told.contains("p2"), "which plan is in the way: {told}");
    // By itself neither: it is held back and shown.
    eventually("the change is held", async || {
        let held = manager.sql("SELECT 1 FROM broker WHERE catalog_held IS NOT NULL");
        (!held.is_empty()).then_some(())
    })
    .await;
    assert_eq!(shape(&manager, &made).await, before);
    assert_eq!(id(&plan_named(&admin, &made, "p2").await), used);
}
