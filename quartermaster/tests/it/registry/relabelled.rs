//! Platforms and brokers that go from one tenant to another while platforms listen: what each holds is what it is shown.

use crate::harness::brokers::{broker_with, offering, plan, plan_named, register_labelled, show};
use crate::harness::{Client, Engine, Manager, Platform, answer::id};
use crate::model_platform::ModelPlatform;
use qm_testkit::hostile::HostileBroker;
use serde_json::{Value, json};

on_both_engines!(
    a_platform_that_goes_to_another_tenant,
    a_broker_that_goes_to_another_tenant,
    a_platform_that_is_renamed_or_retyped,
);

/// From nobody's to one tenant, to the other, to both, to nobody's again.
const OWNERS: [&[&str]; 5] = [&["red"], &["blue"], &["red", "blue"], &["red"], &[]];

fn labels(tenants: &[&str]) -> Value {
    match tenants {
        [] => json!({}),
        tenants => json!({ "tenant": tenants }),
    }
}

/// Gives something to other tenants.
async fn give(admin: &Client, path: &str, to: &[&str]) {
    let shown = admin.get(path).await.expect(200);
    let mut lines = Vec::new();
    if shown["labels"].get("tenant").is_some() {
        lines.push(json!({"op": "remove", "key": "tenant"}));
    }
    if !to.is_empty() {
        lines.push(json!({"op": "add", "key": "tenant", "values": to}));
    }
    admin
        .patch(path, &json!({ "labels": lines }))
        .await
        .expect(200);
}

/// A broker of each owner, with one plan for everybody and one for a platform each.
async fn brokers(manager: &Manager, platforms: &[String]) -> Vec<(Value, HostileBroker)> {
    let admin = manager.admin();
    let mut brokers = Vec::new();
    for (name, owners) in [
        ("nobody's", &[][..]),
        ("red's", &["red"]),
        ("blue's", &["blue"]),
    ] {
        let plans: Vec<Value> = (0..=platforms.len())
            .map(|n| plan(&format!("p{n}"), &format!("p{n}")))
            .collect();
        let host = broker_with(&json!({"services": [offering("o", "o", &plans)]})).await;
        let made = register_labelled(&admin, name, &host, &labels(owners)).await;
        let first = plan_named(&admin, &made, "p0").await;
        show(&admin, &first, None).await.expect(201);
        for (n, platform) in platforms.iter().enumerate() {
            let plan = plan_named(&admin, &made, &format!("p{}", n + 1)).await;
            show(&admin, &plan, Some(platform)).await.expect(201);
        }
        brokers.push((made, host));
    }
    brokers
}

async fn listeners(
    manager: &Manager,
    all: &[(&str, &str, &[&str])],
) -> (Vec<String>, Vec<ModelPlatform>) {
    let (mut ids, mut models) = (Vec::new(), Vec::new());
    for (name, kind, tenants) in all {
        let body = json!({"name": name, "type": kind, "labels": labels(tenants)});
        let platform = Platform::register_as(manager, &body).await;
        ids.push(platform.id.clone());
        let model = ModelPlatform::start(platform);
        model.connected().await;
        models.push(model);
    }
    (ids, models)
}

async fn a_platform_that_goes_to_another_tenant(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let all: [(&str, &str, &[&str]); 2] = [("cf", "cloudfoundry", &[]), ("k8s", "kubernetes", &[])];
    let (ids, models) = listeners(&manager, &all).await;
    let _brokers = brokers(&manager, &ids).await;
    for tenants in OWNERS {
        for (id, model) in ids.iter().zip(&models) {
            give(&admin, &format!("/v1/platforms/{id}"), tenants).await;
            model.agrees(&format!("as a platform of {tenants:?}")).await;
            assert_eq!(model.resyncs(), 1, "it was told, and did not read");
        }
    }
}

async fn a_broker_that_goes_to_another_tenant(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let all: [(&str, &str, &[&str]); 4] = [
        ("cf", "cloudfoundry", &[]),
        ("red", "cloudfoundry", &["red"]),
        ("blue", "kubernetes", &["blue"]),
        ("both", "kubernetes", &["red", "blue"]),
    ];
    let (ids, models) = listeners(&manager, &all).await;
    let brokers = brokers(&manager, &ids).await;
    for tenants in OWNERS {
        for (broker, _) in &brokers {
            give(
                &admin,
                &format!("/v1/service_brokers/{}", id(broker)),
                tenants,
            )
            .await;
        }
        for ((name, ..), model) in all.iter().zip(&models) {
            model
                .agrees(&format!("{name}, with brokers of {tenants:?}"))
                .await;
            assert_eq!(model.resyncs(), 1, "{name} was told, and did not read");
        }
    }
}

/// Rules of plans name types and names: with another one a platform gains and loses brokers.
async fn a_platform_that_is_renamed_or_retyped(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let mut hosts = Vec::new();
    for (name, key, value) in [
        ("types", "supportedPlatforms", "cloudfoundry"),
        ("names", "supportedPlatformNames", "one"),
        ("except", "excludedPlatformNames", "two"),
    ] {
        let plans = [crate::harness::brokers::plan_for("p0", "p0", key, &[value])];
        let host = broker_with(&json!({"services": [offering("o", "o", &plans)]})).await;
        register_labelled(&admin, name, &host, &json!({})).await;
        hosts.push(host);
    }
    let (ids, models) = listeners(&manager, &[("one", "cloudfoundry", &[])]).await;
    let path = format!("/v1/platforms/{}", ids[0]);
    models[0].agrees("at first").await;
    for (name, kind) in [
        ("two", "cloudfoundry"),
        ("two", "abap"),
        ("one", "abap"),
        ("three", "cloudfoundry"),
    ] {
        admin
            .patch(&path, &json!({"name": name, "type": kind}))
            .await
            .expect(200);
        models[0].is_called(name, kind);
        models[0].agrees(&format!("as {name} of type {kind}")).await;
        assert_eq!(models[0].resyncs(), 1);
    }
}
