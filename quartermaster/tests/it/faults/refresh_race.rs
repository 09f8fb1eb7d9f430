//! A broker's catalog is looked at periodically while somebody changes the broker: a slow look that began before the
//! change must not undo what the change has brought.

use super::catalogs;
use crate::harness::answer::{items, text};
use crate::harness::brokers::{broker, register};
use crate::harness::{Client, Engine, Platform, Setup, answer::id, query};
use crate::model_platform::ModelPlatform;
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(a_slow_look_does_not_undo_a_change);

const CHANGES: u64 = 60;

async fn a_slow_look_does_not_undo_a_change(engine: Engine) {
    let manager = Setup::new(engine)
        .set("QM_BROKERS_REFRESH_INTERVAL", "20ms")
        .start()
        .await;
    let admin = manager.admin();
    let host = broker().await;
    host.set_catalog(catalogs::catalog("b", 0));
    // Every other answer is made at once and takes its time on the way.
    let trickle = |millis| Fault::Trickle { bytes: 400, millis };
    host.on(Verb::Catalog).always().then(Fault::Cycle {
        faults: vec![
            trickle(15),
            Fault::Behave,
            trickle(40),
            Fault::Behave,
            trickle(5),
        ],
    });
    let made = register(&admin, "b", &host).await;
    let path = format!("/v1/service_brokers/{}", id(&made));
    let mut models = Vec::new();
    for kind in ["cloudfoundry", "kubernetes"] {
        let platform = Platform::register(&manager, kind, kind).await;
        let model = ModelPlatform::start(platform);
        model.connected().await;
        models.push(model);
    }
    for version in 1..=CHANGES {
        host.set_catalog(catalogs::catalog("b", version));
        let change = json!({"description": version.to_string()});
        admin.patch(&path, &change).await.expect(200);
        for look in 0..3 {
            let seen = versions(&admin, &made).await;
            assert_eq!(seen, [version], "look {look} after the change was answered");
        }
        let shown = admin.get(&path).await.expect(200);
        assert_eq!(text(&shown, "description"), version.to_string());
    }
    let looks = host.calls_of(Verb::Catalog).len();
    let changes = usize::try_from(CHANGES).unwrap();
    assert!(looks > changes + 10, "only {looks} calls: nothing raced");
    for model in &models {
        model.agrees("after all changes").await;
        assert_eq!(model.resyncs(), 1);
    }
}

/// The versions that the plans of a broker tell, each once.
async fn versions(admin: &Client, broker: &serde_json::Value) -> Vec<u64> {
    let criterion = format!("broker_id eq '{}'", id(broker));
    let path = query("/v1/service_offerings", &[("fieldQuery", &criterion)]);
    let offerings = items(&admin.get(&path).await.expect(200));
    let ids: Vec<String> = offerings
        .iter()
        .map(|one| format!("'{}'", id(one)))
        .collect();
    let criterion = format!("service_offering_id in ({})", ids.join(","));
    let path = query("/v1/service_plans", &[("fieldQuery", &criterion)]);
    let plans = items(&admin.get(&path).await.expect(200));
    let version = |shown| {
        text(shown, "description")
            .strip_prefix("version ")
            .unwrap()
            .parse()
            .unwrap()
    };
    let mut versions: Vec<u64> = offerings.iter().chain(&plans).map(version).collect();
    versions.sort_unstable();
    versions.dedup();
    versions
}
