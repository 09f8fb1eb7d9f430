//! Defects of what platforms are told: 15 and 23.

use crate::harness::answer::id;
use crate::harness::brokers::{broker, plan_named, register, show};
use crate::harness::{Engine, Manager, Platform, eventually, query};
use http::Method;
use serde_json::json;

on_both_engines!(
    defect_15_connecting_with_a_version_changes_nothing_else,
    defect_23_a_long_correlation_id_breaks_nothing,
);

/// An agent that named its version was written back as it had been when it logged in: not active, and so it
/// missed what happened until its first ping.
async fn defect_15_connecting_with_a_version_changes_nothing_else(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let mut first = platform.connect(None).await;
    first.ping(b"alive").await;
    let is = async |criteria: &str| {
        let criteria = format!("{criteria} and id eq '{}'", platform.id);
        let path = query("/v1/platforms", &[("fieldQuery", &criteria)]);
        admin.get(&path).await.expect(200)["num_items"] == 1
    };
    eventually("the platform is active", async || {
        is("active eq true").await.then_some(())
    })
    .await;

    // A change between the login and the connection must survive, too.
    let path = format!("/v1/platforms/{}", platform.id);
    let change =
        json!({"description": "changed", "labels": [{"op": "add", "key": "k", "values": ["v"]}]});
    let version = [("X-Peripli-Agent-Version", "1.2.3")];
    let (connected, changed) = tokio::join!(
        platform.try_connect(None, &version),
        admin.patch(&path, &change),
    );
    changed.expect(200);
    let mut second = connected.unwrap();
    eventually("the version is known", async || {
        is("version eq '1.2.3'").await.then_some(())
    })
    .await;
    assert!(is("active eq true").await, "it is still active");
    let kept = admin.get(&path).await.expect(200);
    assert_eq!(kept["description"], "changed");
    assert_eq!(kept["labels"], json!({"k": ["v"]}));
    // Told at once, before it has pinged.
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    assert_eq!(
        second.next().await["payload"]["new"]["resource"]["id"],
        made["id"]
    );
    assert_eq!(
        first.next().await["payload"]["new"]["resource"]["id"],
        made["id"]
    );
    second.close().await;
}

/// A correlation id of more than forty characters made every change of brokers and visibilities fail.
async fn defect_23_a_long_correlation_id_breaks_nothing(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let plan = plan_named(&admin, &made, "sync").await;
    let visibility = show(&admin, &plan, None).await.expect(201);
    manager.settle().await;
    let mut stream = platform.connect(None).await;
    let long = "c".repeat(200);
    let headers = [
        ("content-type", "application/json"),
        ("X-CorrelationID", &*long),
    ];
    let paths = [
        format!("/v1/service_brokers/{}", id(&made)),
        format!("/v1/visibilities/{}", id(&visibility)),
    ];
    for path in &paths {
        let changed = admin
            .send(Method::PATCH, path, &headers, "{}")
            .await
            .expect(200);
        let named = changed["last_operation"]["correlation_id"]
            .as_str()
            .unwrap();
        assert_eq!(named, long);
        let told = stream.next().await;
        assert_eq!(told["correlation_id"], long.as_str());
    }
    // One that is beyond reason is no reason to fail either.
    let absurd = "c".repeat(5000);
    let headers = [
        ("content-type", "application/json"),
        ("X-CorrelationID", &*absurd),
    ];
    admin
        .send(Method::PATCH, &paths[0], &headers, "{}")
        .await
        .expect(200);
}
