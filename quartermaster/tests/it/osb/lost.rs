//! Answers that are lost, broken or bad: what the platform hears, and what becomes of the thing.

use super::world::World;
use crate::harness::Engine;
use qm_testkit::hostile::{ASYNC_PLAN, Fault, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    a_creation_whose_answer_is_lost_leaves_nothing,
    a_creation_that_is_refused_leaves_nothing_and_deletes_nothing,
    a_broken_creation_is_cleaned_up,
    a_deletion_whose_answer_is_lost_is_finished,
    a_failed_deletion_keeps_everything,
    an_update_whose_answer_is_lost_is_asked_for,
    a_failed_update_keeps_the_last_good_values,
    a_failed_asynchronous_creation_is_cleaned_up,
    a_deletion_takes_over_a_creation,
);

async fn a_creation_whose_answer_is_lost_leaves_nothing(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    // Not retrievable by the platform's poll either: nobody can say, so it goes.
    world
        .broker
        .on(Verb::Provision)
        .times(1)
        .then(Fault::work_then(Fault::Hang));
    let answer = door.provision("i").await;
    assert!(matches!(answer.status, 502 | 504), "{answer:?}");
    world
        .broker
        .on(Verb::Bind)
        .times(1)
        .then(Fault::lose_answer());
    door.provision("j").await.expect(201);
    door.bind("j", "b").await.expect(502);
    let left = world.agree().await;
    assert!(
        !left.contains_key("i") && !left.contains_key("b"),
        "{left:?}"
    );
    // The id may be used again.
    door.provision("i").await.expect(201);
    door.bind("j", "b").await.expect(201);
    world.agree().await;
}

async fn a_creation_that_is_refused_leaves_nothing_and_deletes_nothing(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    world
        .broker
        .on(Verb::Provision)
        .times(1)
        .then(Fault::answer(
            400,
            json!({"error": "Odd", "description": "no such size", "hint": 1}),
        ));
    let refused = door.provision("i").await.expect(400);
    assert_eq!(refused["error"], "Odd");
    assert_eq!(refused["hint"], 1);
    let said = refused["description"].as_str().unwrap();
    assert!(
        said.contains("hostile") && said.ends_with("no such size"),
        "{said}"
    );
    world.instance("i").await.expect(404);
    assert_eq!(door.poll("i").await.expect(200)["state"], "failed");
    assert!(world.agree().await.is_empty());
    assert!(world.broker.calls_of(Verb::Deprovision).is_empty());
}

async fn a_broken_creation_is_cleaned_up(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    for fault in [Fault::status(500), Fault::status(204), Fault::Cut] {
        world
            .broker
            .on(Verb::Provision)
            .times(1)
            .then(Fault::work_then(fault));
        let answer = door.provision("i").await;
        assert!(answer.status >= 200, "{answer:?}");
        assert!(!world.agree().await.contains_key("i"));
    }
    assert!(!world.broker.calls_of(Verb::Deprovision).is_empty());
}

async fn a_deletion_whose_answer_is_lost_is_finished(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    door.provision("i").await.expect(201);
    door.bind("i", "b").await.expect(201);
    world
        .broker
        .on(Verb::Unbind)
        .times(1)
        .then(Fault::lose_answer());
    door.unbind("i", "b").await.expect(502);
    world.agree().await;
    world
        .broker
        .on(Verb::Deprovision)
        .times(1)
        .then(Fault::Reset);
    door.deprovision("i").await.expect(502);
    assert!(world.agree().await.is_empty());
}

async fn a_failed_deletion_keeps_everything(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    door.provision_slowly("i").await.expect(202);
    door.end_of("i").await;
    // Defect 11: an earlier update must not be undone by a deletion that fails.
    door.update("i", &json!({"plan_id": SYNC_PLAN}))
        .await
        .expect(202);
    door.end_of("i").await;
    let before = world.instance("i").await.expect(200);
    for fault in [Fault::status(400), Fault::status(500)] {
        world.broker.on(Verb::Deprovision).times(1).then(fault);
        assert!(door.deprovision("i").await.status >= 400);
    }
    let after = world.instance("i").await.expect(200);
    assert_eq!(after["last_operation"]["type"], "delete");
    assert_eq!(after["last_operation"]["state"], "failed");
    for field in ["service_plan_id", "context", "ready", "usable", "name"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    world.agree().await;
}

async fn an_update_whose_answer_is_lost_is_asked_for(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    door.provision_slowly("i").await.expect(202);
    door.end_of("i").await;
    let before = world.instance("i").await.expect(200)["service_plan_id"].clone();
    // It did not happen.
    world.broker.on(Verb::Update).times(1).then(Fault::Close);
    door.update("i", &json!({"plan_id": SYNC_PLAN}))
        .await
        .expect(502);
    world.agree().await;
    let shown = world.instance("i").await.expect(200);
    assert_eq!(shown["service_plan_id"], before);
    assert_eq!(shown["last_operation"]["state"], "failed");
    assert!(
        world.broker.calls_of(Verb::Deprovision).is_empty(),
        "no update leads to a deletion"
    );
}

async fn a_failed_update_keeps_the_last_good_values(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    door.provision_slowly("i").await.expect(202);
    door.end_of("i").await;
    let before = world.instance("i").await.expect(200);
    world
        .broker
        .on(Verb::Update)
        .times(1)
        .then(Fault::FailWork {
            description: "no room".to_owned(),
            instance_usable: Some(false),
            update_repeatable: None,
        });
    door.update(
        "i",
        &json!({"plan_id": SYNC_PLAN, "context": {"namespace": "new"}}),
    )
    .await
    .expect(202);
    assert_eq!(door.end_of("i").await, "failed");
    let after = world.instance("i").await.expect(200);
    for field in ["service_plan_id", "context", "name"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(after["usable"], false);
    assert_eq!(after["last_operation"]["state"], "failed");
    world.agree().await;
}

async fn a_failed_asynchronous_creation_is_cleaned_up(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    world
        .broker
        .on(Verb::Provision)
        .times(1)
        .then(Fault::FailWork {
            description: "no room".to_owned(),
            instance_usable: None,
            update_repeatable: None,
        });
    door.provision_slowly("i").await.expect(202);
    assert_eq!(door.end_of("i").await, "failed");
    assert!(world.agree().await.is_empty());
}

async fn a_deletion_takes_over_a_creation(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::state("in progress"));
    door.provision_slowly("i").await.expect(202);
    let answer = door.deprovision_of("i", ASYNC_PLAN).await;
    assert!(matches!(answer.status, 200 | 202 | 422), "{answer:?}");
    world.broker.behave();
    assert!(world.agree().await.is_empty());
}
