//! The whole life of an instance and its bindings on a plan that answers at once: 201 and 200 all the way.

use super::{BINDINGS, Cluster, INSTANCES, USER};
use crate::harness::Engine;
use crate::harness::answer::{id, text};
use http::Method;
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(provision_update_share_bind_rotate_recover_delete);

async fn provision_update_share_bind_rotate_recover_delete(engine: Engine) {
    let cluster = Cluster::start(engine).await;
    assert!(cluster.recover(INSTANCES, "db").await.is_empty());
    let made = cluster.provision("db", "sync").await.expect(201);
    let instance = id(&made);
    identity_reaches_the_broker(&cluster);
    // A resource that lost its status finds its instance by name, cluster and namespace.
    let found = cluster.recover(INSTANCES, "db").await;
    assert_eq!(found.len(), 1);
    assert_eq!(
        (id(&found[0]), &found[0]["ready"]),
        (instance.clone(), &json!(true))
    );
    assert_eq!(found[0]["last_operation"]["type"], "create");
    assert_eq!(found[0]["last_operation"]["state"], "succeeded");
    tags(&cluster, &found[0]).await;

    update(&cluster, &instance).await;
    share(&cluster, &instance, true).await;
    share(&cluster, &instance, false).await;

    let bound = cluster.bind("key", &instance).await.expect(201);
    let first = id(&bound);
    assert!(bound["credentials"].is_object(), "{bound}");
    let path = format!("{BINDINGS}/{first}");
    let again = cluster.get(&path).await.expect(200);
    assert_eq!(
        again["credentials"], bound["credentials"],
        "for a secret that was lost"
    );
    let found = cluster.recover(BINDINGS, "key").await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["credentials"], bound["credentials"]);
    assert_eq!(found[0]["service_instance_id"], instance.as_str());
    assert_eq!(found[0]["last_operation"]["state"], "succeeded");

    rotate(&cluster, &first, &instance).await;
    assert_eq!(cluster.delete(INSTANCES, &instance).await.status, 200);
    cluster
        .get(&format!("{INSTANCES}/{instance}"))
        .await
        .expect(404);
    // Once more: 404 is as good.
    assert_eq!(cluster.delete(INSTANCES, &instance).await.status, 404);
    assert!(cluster.recover(INSTANCES, "db").await.is_empty());
    assert!(cluster.broker.instances().is_empty());
}

/// The raw JSON of the header arrives at the broker in the form of OSB, and the cluster in the context.
fn identity_reaches_the_broker(cluster: &Cluster) {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    let calls = cluster.broker.calls_of(Verb::Provision);
    let header = calls[0]
        .header("x-broker-api-originating-identity")
        .unwrap();
    let (_, encoded) = header.split_once(' ').unwrap();
    let told: Value = serde_json::from_slice(&STANDARD.decode(encoded).unwrap()).unwrap();
    assert_eq!(told, serde_json::from_str::<Value>(USER).unwrap());
    let context = &calls[0].body.as_ref().unwrap()["context"];
    assert_eq!(context["clusterid"], "cluster-1");
    assert_eq!(context["namespace"], "team-a");
}

/// Plan, then offering, each by its id alone.
async fn tags(cluster: &Cluster, instance: &Value) {
    let by = |id: String| format!("id eq '{id}'");
    let criterion = by(text(instance, "service_plan_id"));
    let plans = cluster
        .list("/v1/service_plans", &[("fieldQuery", &criterion)])
        .await;
    assert_eq!(plans.len(), 1);
    let criterion = by(text(&plans[0], "service_offering_id"));
    let offerings = cluster
        .list("/v1/service_offerings", &[("fieldQuery", &criterion)])
        .await;
    assert_eq!(offerings.len(), 1);
    assert_eq!(offerings[0]["tags"], json!(["db", "relational"]));
}

/// All fields each time, whether they change or not.
async fn update(cluster: &Cluster, instance: &str) {
    let plan = cluster.plan("sync").await;
    let body = json!({"name": "db", "service_plan_id": plan, "parameters": {"size": 2}, "ready": false, "usable": false});
    let path = format!("{INSTANCES}/{instance}");
    let answer = cluster
        .call(Method::PATCH, &path, USER, &body.to_string())
        .await;
    let changed = answer.expect(200);
    assert_eq!(
        (&changed["ready"], &changed["usable"]),
        (&json!(true), &json!(true))
    );
    let asked = cluster.broker.calls_of(Verb::Update);
    assert_eq!(
        asked.last().unwrap().body.as_ref().unwrap()["parameters"],
        json!({"size": 2})
    );
}

/// Without `async`; anything but 200 would end it.
async fn share(cluster: &Cluster, instance: &str, shared: bool) {
    let path = format!("{INSTANCES}/{instance}");
    let body = json!({"shared": shared}).to_string();
    cluster
        .call(Method::PATCH, &path, USER, &body)
        .await
        .expect(200);
    let read = cluster.get(&path).await.expect(200);
    assert_eq!(read["shared"].as_bool().unwrap_or_default(), shared);
}

/// The old binding is renamed in two steps, without saying for whom, and the new one takes its name.
async fn rotate(cluster: &Cluster, old: &str, instance: &str) {
    let path = format!("{BINDINGS}/{old}");
    let body = r#"{"labels":[{"op":"remove","key":"_k8sname","values":null}],"name":"key-abc123"}"#;
    let renamed = cluster
        .call(Method::PATCH, &path, "", body)
        .await
        .expect(200);
    assert_eq!(renamed["name"], "key-abc123");
    assert!(renamed["labels"].get("_k8sname").is_none(), "{renamed}");
    let body = r#"{"labels":[{"op":"add","key":"_k8sname","values":["key-abc123"]}]}"#;
    let labelled = cluster
        .call(Method::PATCH, &path, "", body)
        .await
        .expect(200);
    assert_eq!(labelled["labels"]["_k8sname"], json!(["key-abc123"]));
    assert_eq!(labelled["labels"]["_clusterid"], json!(["cluster-1"]));
    // The new one is not taken for the old one, and the copy of the old resource finds the old one.
    assert!(cluster.recover(BINDINGS, "key").await.is_empty());
    let copy = cluster.recover(BINDINGS, "key-abc123").await;
    assert_eq!(copy.iter().map(id).collect::<Vec<_>>(), [old]);
    let new = id(&cluster.bind("key", instance).await.expect(201));
    assert_ne!(new, old);
    for binding in [old, &new] {
        assert_eq!(cluster.delete(BINDINGS, binding).await.status, 200);
        assert_eq!(cluster.delete(BINDINGS, binding).await.status, 404);
    }
}
