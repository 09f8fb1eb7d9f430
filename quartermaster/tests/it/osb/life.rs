//! The life of an instance and its bindings, as it should be.

use super::world::{World, wanted};
use crate::harness::Engine;
use qm_testkit::hostile::{ASYNC_PLAN, SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    a_synchronous_life,
    an_asynchronous_life,
    a_catalog_with_a_tag
);

async fn a_synchronous_life(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    door.provision("i").await.expect(201);
    let shown = world.instance("i").await.expect(200);
    assert_eq!(shown["name"], "mine");
    assert_eq!(shown["platform_id"], world.platform.id);
    assert_eq!(
        (&shown["ready"], &shown["usable"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(shown["context"]["namespace"], "n");
    assert_eq!(shown["last_operation"]["type"], "create");
    assert_eq!(shown["last_operation"]["state"], "succeeded");
    let bound = door.bind("i", "b").await.expect(201);
    assert!(bound["credentials"].is_object(), "{bound}");
    let fetched = door
        .client
        .get(&door.binding_url("i", "b"))
        .await
        .expect(200);
    assert_eq!(fetched["credentials"], bound["credentials"]);
    let fetched = door.client.get(&door.url("i")).await.expect(200);
    assert_eq!(fetched["plan_id"], SYNC_PLAN);
    let own = world.platform.client();
    let binding = own.get("/v1/service_bindings/b").await.expect(200);
    assert_eq!(binding["service_instance_id"], "i");
    assert!(binding["credentials"].is_null(), "{binding}");
    door.update("i", &json!({"parameters": {"size": 2}}))
        .await
        .expect(200);
    let shown = world.instance("i").await.expect(200);
    assert_eq!(shown["last_operation"]["type"], "update");
    world.agree().await;
    door.unbind("i", "b").await.expect(200);
    door.deprovision("i").await.expect(200);
    world.instance("i").await.expect(404);
    door.deprovision("i").await.expect(410);
    assert!(world.agree().await.is_empty());
}

async fn an_asynchronous_life(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    let begun = door.provision_slowly("i").await.expect(202);
    assert!(begun["operation"].is_string(), "{begun}");
    let shown = world.instance("i").await.expect(200);
    assert_eq!(shown["last_operation"]["state"], "in progress");
    assert_eq!(shown["ready"], false);
    assert_eq!(door.end_of("i").await, "succeeded");
    let shown = world.instance("i").await.expect(200);
    assert_eq!(shown["last_operation"]["state"], "succeeded");
    assert_eq!(shown["ready"], true);
    // To the other plan and back: the record follows when the broker has confirmed.
    let before = shown["service_plan_id"].clone();
    let change = json!({"plan_id": SYNC_PLAN, "previous_values": {"plan_id": ASYNC_PLAN}});
    door.update("i", &change).await.expect(202);
    let shown = world.instance("i").await.expect(200);
    assert_eq!(
        shown["service_plan_id"], before,
        "not before it is confirmed"
    );
    assert_eq!(door.end_of("i").await, "succeeded");
    let shown = world.instance("i").await.expect(200);
    assert_ne!(shown["service_plan_id"], before);
    world.agree().await;
    door.update("i", &json!({"plan_id": ASYNC_PLAN})).await;
    door.end_of("i").await;
    door.deprovision_of("i", ASYNC_PLAN).await.expect(202);
    assert_eq!(
        world.instance("i").await.expect(200)["last_operation"]["type"],
        "delete"
    );
    let ended = door.end_of("i").await;
    assert!(matches!(ended.as_str(), "succeeded" | "gone"), "{ended}");
    world.instance("i").await.expect(404);
    assert!(world.agree().await.is_empty());
}

async fn a_catalog_with_a_tag(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    let before = world.broker.calls_of(Verb::Catalog).len();
    let path = format!("{}/catalog", door.path);
    let answer = door.client.get(&path).await;
    let tag = answer.headers["etag"].to_str().unwrap().to_owned();
    let catalog = answer.expect(200);
    assert_eq!(catalog["services"][0]["id"], SERVICE);
    assert!(catalog["services"][0]["metadata"]["sm_offering_id"].is_string());
    assert!(catalog["services"][0]["plans"][0]["metadata"]["sm_plan_id"].is_string());
    let headers = [("if-none-match", tag.as_str())];
    let same = door
        .client
        .send(http::Method::GET, &path, &headers, "")
        .await;
    assert_eq!((same.status, same.text.as_str()), (304, ""));
    assert_eq!(
        world.broker.calls_of(Verb::Catalog).len(),
        before,
        "served from the store"
    );
    // One plan less for everybody: the next look shows it.
    let admin = world.manager.admin();
    let page = admin.get("/v1/visibilities").await.expect(200);
    let first = page["items"][0]["id"].as_str().unwrap();
    admin
        .delete(&format!("/v1/visibilities/{first}"))
        .await
        .expect(200);
    let answer = door
        .client
        .send(http::Method::GET, &path, &headers, "")
        .await;
    assert_eq!(
        answer.expect(200)["services"][0]["plans"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let hidden = [SYNC_PLAN, ASYNC_PLAN];
    let mut refused = 0;
    for plan in hidden {
        refused += usize::from(door.provision_as(plan, &wanted(plan)).await.status == 404);
    }
    assert_eq!(refused, 1, "what is not shown cannot be had");
}
