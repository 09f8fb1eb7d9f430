//! The same on a plan that takes its time: 202, an id cut out of the `Location`, and polling.

use super::{BINDINGS, Cluster, INSTANCES, USER, id_in};
use crate::harness::Engine;
use crate::harness::answer::{id, text};
use http::Method;
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    provision_bind_update_delete_by_polling,
    a_create_that_failed_is_deleted_and_tried_again,
    a_bind_that_failed_is_deleted_and_tried_again
);

async fn provision_bind_update_delete_by_polling(engine: Engine) {
    let cluster = Cluster::start(engine).await;
    let location = cluster.provision("db", "async").await.location();
    let instance = id_in(&location, INSTANCES);
    // A resource that is written anew meanwhile finds its instance and the operation that goes on.
    let found = cluster.recover(INSTANCES, "db").await;
    assert_eq!(
        found.iter().map(id).collect::<Vec<_>>(),
        std::slice::from_ref(&instance)
    );
    let operation = &found[0]["last_operation"];
    assert_eq!(operation["type"], "create");
    assert_eq!(
        format!("{INSTANCES}/{instance}/operations/{}", id(operation)),
        location
    );
    let ended = cluster.polled(&location).await;
    assert_eq!(
        (&ended["type"], &ended["state"]),
        (&json!("create"), &json!("succeeded"))
    );
    let read = cluster
        .get(&format!("{INSTANCES}/{instance}"))
        .await
        .expect(200);
    assert_eq!(read["ready"], true);

    let location = cluster.bind("key", &instance).await.location();
    let binding = id_in(&location, BINDINGS);
    assert_eq!(cluster.polled(&location).await["state"], "succeeded");
    let read = cluster
        .get(&format!("{BINDINGS}/{binding}"))
        .await
        .expect(200);
    assert!(read["credentials"].is_object(), "{read}");

    let plan = cluster.plan("async").await;
    let body = json!({"name": "db", "service_plan_id": plan, "parameters": {"size": 2}, "ready": false, "usable": false});
    let path = format!("{INSTANCES}/{instance}");
    let answer = cluster
        .call(Method::PATCH, &path, USER, &body.to_string())
        .await;
    let ended = cluster.polled(&answer.location()).await;
    assert_eq!(
        (&ended["type"], &ended["state"]),
        (&json!("update"), &json!("succeeded"))
    );

    cluster
        .gone(&cluster.delete(BINDINGS, &binding).await.location())
        .await;
    cluster
        .gone(&cluster.delete(INSTANCES, &instance).await.location())
        .await;
    assert!(cluster.recover(INSTANCES, "db").await.is_empty());
    assert!(cluster.broker.instances().is_empty());
}

/// The operator deletes what failed under its id, and then provisions again under the same name.
async fn a_create_that_failed_is_deleted_and_tried_again(engine: Engine) {
    let cluster = Cluster::start(engine).await;
    cluster
        .broker
        .on(Verb::Provision)
        .nth(1)
        .then(Fault::fail_work("no room left"));
    let location = cluster.provision("db", "async").await.location();
    let ended = cluster.polled(&location).await;
    assert_eq!(ended["state"], "failed");
    let told = text(&ended["errors"], "description");
    assert!(told.contains("no room left"), "{told}");
    delete(&cluster, INSTANCES, &id_in(&location, INSTANCES)).await;
    assert!(cluster.recover(INSTANCES, "db").await.is_empty());
    let location = cluster.provision("db", "async").await.location();
    assert_eq!(cluster.polled(&location).await["state"], "succeeded");
    assert_eq!(cluster.broker.instances().len(), 1);
}

async fn a_bind_that_failed_is_deleted_and_tried_again(engine: Engine) {
    let cluster = Cluster::start(engine).await;
    let location = cluster.provision("db", "async").await.location();
    let instance = id_in(&location, INSTANCES);
    assert_eq!(cluster.polled(&location).await["state"], "succeeded");
    cluster
        .broker
        .on(Verb::Bind)
        .nth(1)
        .then(Fault::fail_work("no role left"));
    let location = cluster.bind("key", &instance).await.location();
    let ended = cluster.polled(&location).await;
    assert_eq!(ended["state"], "failed");
    let told = text(&ended["errors"], "description");
    assert!(told.contains("no role left"), "{told}");
    delete(&cluster, BINDINGS, &id_in(&location, BINDINGS)).await;
    assert!(cluster.recover(BINDINGS, "key").await.is_empty());
    let location = cluster.bind("key", &instance).await.location();
    assert_eq!(cluster.polled(&location).await["state"], "succeeded");
}

/// Done at once, never there, or to be polled: each is success.
async fn delete(cluster: &Cluster, collection: &str, id: &str) {
    let answer = cluster.delete(collection, id).await;
    match answer.status {
        200 | 404 | 410 => {}
        _ => cluster.gone(&answer.location()).await,
    }
}
