//! Refusals that the operator must be able to read: a broker's own words, and when to come again.

use super::{BINDINGS, Cluster, INSTANCES, USER, quick};
use crate::harness::Engine;
use crate::harness::answer::id;
use http::Method;
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    a_broker_that_refuses_is_quoted,
    what_broke_is_not_found_again,
    a_plan_that_cannot_be_shared_is_a_bad_request,
    who_comes_too_often_is_told_when_to_come_again
);

/// `broker_error` is decoded into a Go struct: a number, two texts, and an error that must not be there.
async fn a_broker_that_refuses_is_quoted(engine: Engine) {
    let cluster = Cluster::start(engine).await;
    let words = json!({"error": "Quota", "description": "no room left"});
    cluster
        .broker
        .on(Verb::Provision)
        .nth(1)
        .then(Fault::answer(400, words));
    let answer = cluster.provision("db", "sync").await;
    assert_eq!(answer.status, 502, "{answer:#?}");
    assert!(answer.body["error"].is_string() && answer.body["description"].is_string());
    let said = &answer.body["broker_error"];
    assert_eq!(said["StatusCode"], 400);
    assert_eq!(said["ErrorMessage"], "Quota");
    assert_eq!(said["Description"], "no room left");
    assert!(said["ResponseError"].is_null());
    // The name is free again, and the next try goes through.
    assert!(cluster.recover(INSTANCES, "db").await.is_empty());
    cluster.provision("db", "sync").await.expect(201);
}

/// The operator looks for its resource by name right after it heard of the failure. What it finds it takes for its own, and
/// when that is gone a moment later, because it was cleaned away, the operator gives up for good.
async fn what_broke_is_not_found_again(engine: Engine) {
    let cluster = Cluster::start(engine).await;
    let broker = &cluster.broker;
    // The remains cannot be deleted either, so there is no moment after.
    broker.on(Verb::Provision).nth(1).then(Fault::status(500));
    broker
        .on(Verb::Deprovision)
        .always()
        .then(Fault::status(500));
    broker.on(Verb::Bind).nth(1).then(Fault::status(500));
    broker.on(Verb::Unbind).always().then(Fault::status(500));
    assert_eq!(cluster.provision("db", "sync").await.status, 502);
    assert!(cluster.recover(INSTANCES, "db").await.is_empty());
    let made = id(&cluster.provision("db", "sync").await.expect(201));
    let found = cluster.recover(INSTANCES, "db").await;
    assert_eq!(
        found.iter().map(id).collect::<Vec<_>>(),
        std::slice::from_ref(&made)
    );
    assert_eq!(cluster.bind("key", &made).await.status, 502);
    assert!(cluster.recover(BINDINGS, "key").await.is_empty());
    let bound = id(&cluster.bind("key", &made).await.expect(201));
    let found = cluster.recover(BINDINGS, "key").await;
    assert_eq!(found.iter().map(id).collect::<Vec<_>>(), [bound]);
}

/// 400 is what makes the operator say "not supported" and stop.
async fn a_plan_that_cannot_be_shared_is_a_bad_request(engine: Engine) {
    let cluster = Cluster::start(engine).await;
    let mut catalog = serde_json::to_value(qm_testkit::hostile::standard_catalog()).unwrap();
    catalog["services"][0]["tags"] = json!(["db", "relational"]);
    cluster
        .broker
        .set_catalog(crate::harness::brokers::read(&catalog));
    let admin = cluster.manager.admin();
    let brokers = admin.get("/v1/service_brokers").await.expect(200);
    let path = format!("/v1/service_brokers/{}", id(&brokers["items"][0]));
    admin.patch(&path, &json!({})).await.expect(200);
    let instance = id(&cluster.provision("db", "sync").await.expect(201));
    let path = format!("{INSTANCES}/{instance}");
    let answer = cluster
        .call(Method::PATCH, &path, USER, r#"{"shared":true}"#)
        .await;
    assert_eq!(answer.status, 400, "{answer:#?}");
}

/// The operator cuts the first 19 characters off `Retry-After`, whatever it is, and panics when there are fewer.
async fn who_comes_too_often_is_told_when_to_come_again(engine: Engine) {
    let setup = quick(engine)
        .set("QM_RATE_LIMIT_ENABLED", "true")
        .set("QM_RATE_LIMIT_RULES", "2-H:/v1/service_instances");
    let cluster = Cluster::on(setup).await;
    cluster.list(INSTANCES, &[]).await;
    cluster.list(INSTANCES, &[]).await;
    let answer = cluster.get(INSTANCES).await;
    assert_eq!(answer.status, 429, "{answer:#?}");
    assert!(answer.body["description"].is_string());
    let when = answer.header("retry-after").unwrap_or_default();
    assert!(when.is_empty() || when.len() >= 19, "{when}");
}
