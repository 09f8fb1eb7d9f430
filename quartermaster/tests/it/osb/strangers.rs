//! What the manager does not know: brokers, plans, instances that are older than it, callers without a proof.

use super::world::{Door, World, wanted};
use crate::harness::{Client, Engine, Platform, brokers};
use qm_testkit::hostile::{SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    who_has_no_proof_is_not_let_in,
    unknown_plans_and_brokers_are_404,
    instances_older_than_the_manager_pass_through,
    defect_26_equal_catalog_ids_of_two_brokers_do_not_collide,
);

async fn who_has_no_proof_is_not_let_in(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    let url = world.manager.url();
    let strangers = [
        Client::anonymous(&url),
        Client::basic(&url, "nobody", "nothing"),
        Client::basic(&url, &world.platform.user, "wrong"),
        world.manager.admin(),
    ];
    let calls = world.broker.calls().len();
    for client in strangers {
        let door = Door {
            client,
            path: door.path.clone(),
        };
        door.provision("i").await.expect(401);
        door.deprovision("i").await.expect(401);
        door.client
            .get(&format!("{}/catalog", door.path))
            .await
            .expect(401);
        // Defect 2.
        let adapt = format!("{}/adapt_credentials", door.binding_url("i", "b"));
        door.client.post(&adapt, &json!({})).await.expect(401);
    }
    assert_eq!(world.broker.calls().len(), calls);
}

async fn unknown_plans_and_brokers_are_404(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    door.provision_as("i", &wanted("no-such-plan"))
        .await
        .expect(404);
    door.provision_as("i", &json!({"plan_id": SYNC_PLAN}))
        .await
        .expect(400);
    door.provision_as("i", &json!({"service_id": SERVICE}))
        .await
        .expect(400);
    let nowhere = Door {
        path: "/v1/osb/no-such-broker/v2".to_owned(),
        ..door.clone()
    };
    nowhere.provision("i").await.expect(404);
    let cf = Platform::register(&world.manager, "cf", "cloudfoundry").await;
    let mut wish = wanted(SYNC_PLAN);
    world
        .door_of(&cf)
        .provision_as("i", &wish)
        .await
        .expect(400);
    wish["context"]["organization_guid"] = json!("org");
    world
        .door_of(&cf)
        .provision_as("i", &wish)
        .await
        .expect(201);
    world.agree().await;
}

async fn instances_older_than_the_manager_pass_through(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    let direct = Client::basic(&world.broker.url(), "user", "password");
    let version = [
        ("x-broker-api-version", "2.17"),
        ("content-type", "application/json"),
    ];
    let body = wanted(SYNC_PLAN).to_string();
    let made = direct
        .send(
            http::Method::PUT,
            "/v2/service_instances/old",
            &version,
            body,
        )
        .await;
    made.expect(201);
    door.client.get(&door.url("old")).await.expect(200);
    door.update("old", &json!({"parameters": {"a": 1}}))
        .await
        .expect(200);
    door.bind("old", "b").await.expect(201);
    door.unbind("old", "b").await.expect(200);
    assert_eq!(world.broker.calls_of(Verb::Unbind).len(), 1);
    door.deprovision("old").await.expect(200);
    assert!(world.agree().await.is_empty());
}

async fn defect_26_equal_catalog_ids_of_two_brokers_do_not_collide(engine: Engine) {
    let world = World::start(engine).await;
    let admin = world.manager.admin();
    let twin = brokers::broker().await;
    let registered = brokers::register(&admin, "twin", &twin).await;
    let twin_door = Door {
        path: format!("/v1/osb/{}/v2", crate::harness::answer::id(&registered)),
        ..world.door()
    };
    // Its plans have the same ids and are shown to nobody.
    twin_door.provision("i").await.expect(404);
    for plan in brokers::plans(&admin, &registered).await {
        brokers::show(&admin, &plan, None).await.expect(201);
    }
    twin_door.provision("i").await.expect(201);
    assert_eq!(twin.calls_of(Verb::Provision).len(), 1);
    assert!(world.broker.calls_of(Verb::Provision).is_empty());
    // The id is taken, whichever door it is asked for at.
    world.door().provision("i").await.expect(409);
}
