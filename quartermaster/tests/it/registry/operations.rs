//! `/v1/operations`, and the operations of each resource.

use crate::harness::answer::{id, items, text};
use crate::harness::brokers::{broker, register};
use crate::harness::{Engine, Manager, Platform, query};
use serde_json::json;

on_both_engines!(every_deed_leaves_its_operation, operations_can_be_removed);

const PATH: &str = "/v1/operations";

async fn every_deed_leaves_its_operation(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let one = format!("/v1/service_brokers/{}", id(&made));
    let headers = [
        ("content-type", "application/json"),
        ("x-correlationid", "c-1"),
    ];
    let changed = admin
        .send(http::Method::PATCH, &one, &headers, "{}")
        .await
        .expect(200);
    let operation = &changed["last_operation"];
    assert_eq!(operation["type"], "update");
    assert_eq!(operation["correlation_id"], "c-1");
    assert_eq!(operation["platform_id"], "service-manager");
    assert_eq!(operation["reschedule"], false);
    let path = format!("{one}/operations/{}", id(operation));
    let read = admin.get(&path).await.expect(200);
    assert_eq!(&read, operation);
    for hidden in ["context", "external_id", "work"] {
        assert_eq!(read.get(hidden), None, "{hidden}");
    }
    // The operation belongs to its resource and no other.
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let stranger = format!("/v1/platforms/{}/operations/{}", platform.id, id(operation));
    admin.get(&stranger).await.refused(404, "NotFound");
    let wrong_kind = format!("/v1/platforms/{}/operations/{}", id(&made), id(operation));
    admin.get(&wrong_kind).await.refused(404, "NotFound");
    // A platform sees its own operations and no others.
    platform.client().get(&path).await.refused(404, "NotFound");
    let own = platform.client().get(PATH).await.expect(200);
    assert_eq!(own["num_items"], 0);

    let criterion = format!("resource_id eq '{}' and type eq 'update'", id(&made));
    let listed = admin
        .get(&query(PATH, &[("fieldQuery", &criterion)]))
        .await
        .expect(200);
    assert_eq!(items(&listed)[0]["id"], operation["id"]);
    let criterion = "resource_type eq '/v1/platforms' and state eq 'succeeded'";
    let listed = admin
        .get(&query(PATH, &[("fieldQuery", criterion)]))
        .await
        .expect(200);
    assert!(
        items(&listed)
            .iter()
            .any(|item| text(item, "resource_id") == platform.id)
    );

    // Gone with the resource, its operation is still there to be read.
    admin.delete(&one).await.expect(200);
    let deleted = format!("resource_id eq '{}' and type eq 'delete'", id(&made));
    let listed = admin
        .get(&query(PATH, &[("fieldQuery", &deleted)]))
        .await
        .expect(200);
    let deleted = &items(&listed)[0];
    assert_eq!(deleted["state"], "succeeded");
    let path = format!("{one}/operations/{}", id(deleted));
    admin.get(&path).await.expect(200);
}

async fn operations_can_be_removed(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let first = id(&made["last_operation"]);
    let one = format!("/v1/service_brokers/{}", id(&made));
    admin.patch(&one, &json!({})).await.expect(200);
    assert_eq!(
        admin.delete(&format!("{PATH}/{first}")).await.expect(200),
        json!({})
    );
    admin
        .delete(&format!("{PATH}/{first}"))
        .await
        .refused(404, "NotFound");
    admin
        .get(&format!("{one}/operations/{first}"))
        .await
        .expect(404);
    assert_eq!(admin.delete(PATH).await.status, 405, "not all at once");
    admin.get(&one).await.expect(200);
}
