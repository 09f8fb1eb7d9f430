//! The same request again, another one for the same id, and two at once.

use super::world::{World, wanted};
use crate::harness::{Engine, Platform};
use qm_testkit::hostile::{ASYNC_PLAN, Fault, SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    defect_14_the_same_again_is_200_and_another_is_409,
    the_same_again_while_it_is_worked_on_is_the_same_operation,
    a_second_operation_has_to_wait,
    two_racing_for_one_id_make_one_call,
    another_platforms_instance_is_not_there,
);

async fn defect_14_the_same_again_is_200_and_another_is_409(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    let mut wish = wanted(SYNC_PLAN);
    wish["parameters"] = json!({"size": 1});
    let first = door.provision_as("i", &wish).await.expect(201);
    // Names in the context may change between two attempts.
    wish["context"]["instance_name"] = json!("renamed");
    assert_eq!(door.provision_as("i", &wish).await.expect(200), first);
    for (field, other) in [
        ("parameters", json!({"size": 2})),
        ("plan_id", json!(ASYNC_PLAN)),
        ("space_guid", json!("elsewhere")),
    ] {
        let mut other_wish = wish.clone();
        other_wish[field] = other;
        door.provision_as("i", &other_wish).await.expect(409);
    }
    assert_eq!(world.broker.calls_of(Verb::Provision).len(), 1);
    let bound = door.bind("i", "b").await.expect(201);
    assert_eq!(door.bind("i", "b").await.expect(200), bound);
    let other = json!({"service_id": SERVICE, "plan_id": SYNC_PLAN, "parameters": {"x": 1}});
    door.bind_as("i", "b", &other).await.expect(409);
    world.agree().await;
}

async fn the_same_again_while_it_is_worked_on_is_the_same_operation(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::state("in progress"));
    let first = door.provision_slowly("i").await.expect(202);
    assert_eq!(door.provision_slowly("i").await.expect(202), first);
    door.provision("i").await.expect(409);
    world.broker.behave();
    door.end_of("i").await;
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::state("in progress"));
    let change = json!({"parameters": {"a": 1}});
    let first = door.update("i", &change).await.expect(202);
    assert_eq!(door.update("i", &change).await.expect(202), first);
    door.update("i", &json!({"parameters": {"a": 2}}))
        .await
        .refused(422, "ConcurrencyError");
    assert_eq!(world.broker.calls_of(Verb::Update).len(), 1);
    world.broker.behave();
    door.end_of("i").await;
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::state("in progress"));
    door.deprovision_of("i", ASYNC_PLAN).await.expect(202);
    door.deprovision_of("i", ASYNC_PLAN).await.expect(202);
    assert_eq!(world.broker.calls_of(Verb::Deprovision).len(), 1);
    world.broker.behave();
    assert!(world.agree().await.is_empty());
}

async fn a_second_operation_has_to_wait(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::state("in progress"));
    door.provision_slowly("i").await.expect(202);
    door.update("i", &json!({"parameters": {"a": 1}}))
        .await
        .refused(422, "ConcurrencyError");
    door.bind("i", "b").await.refused(422, "ConcurrencyError");
    world.broker.behave();
    door.end_of("i").await;
    world.agree().await;
}

async fn two_racing_for_one_id_make_one_call(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    world
        .broker
        .on(Verb::Provision)
        .always()
        .then(Fault::slow(200));
    for round in 0..5 {
        let id = format!("race-{round}");
        let racers = (0..8).map(|_| {
            let (door, id) = (door.clone(), id.clone());
            tokio::spawn(async move { door.provision(&id).await.status })
        });
        let racers: Vec<_> = racers.collect();
        let mut made = 0;
        for racer in racers {
            let status = racer.await.unwrap();
            assert!(matches!(status, 200..=202 | 422), "{status}");
            made += usize::from(status == 201);
        }
        assert_eq!(made, 1);
    }
    assert_eq!(world.broker.calls_of(Verb::Provision).len(), 5);
    world.agree().await;
}

async fn another_platforms_instance_is_not_there(engine: Engine) {
    let world = World::start(engine).await;
    let other = Platform::register(&world.manager, "other", "kubernetes").await;
    let (door, theirs) = (world.door(), world.door_of(&other));
    door.provision("i").await.expect(201);
    door.bind("i", "b").await.expect(201);
    let calls = world.broker.calls().len();
    theirs.provision("i").await.expect(409);
    theirs
        .update("i", &json!({"parameters": {}}))
        .await
        .expect(404);
    theirs.deprovision("i").await.expect(404);
    theirs.poll("i").await.expect(404);
    theirs.bind("i", "c").await.expect(404);
    theirs.unbind("i", "b").await.expect(404);
    theirs.client.get(&theirs.url("i")).await.expect(404);
    theirs
        .client
        .get(&theirs.binding_url("i", "b"))
        .await
        .expect(404);
    assert_eq!(
        world.broker.calls().len(),
        calls,
        "nothing reached the broker"
    );
    // Defect 3: nor is it to be seen over REST.
    other
        .client()
        .get("/v1/service_instances/i")
        .await
        .expect(404);
    other
        .client()
        .get("/v1/service_bindings/b")
        .await
        .expect(404);
    assert_eq!(
        other
            .client()
            .get("/v1/service_instances")
            .await
            .expect(200)["num_items"],
        0
    );
    world.agree().await;
}
