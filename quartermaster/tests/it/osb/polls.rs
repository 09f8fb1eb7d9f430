//! Platforms that poll, platforms that do not, and brokers that answer nonsense to it.

use super::world::World;
use crate::harness::{Engine, eventually};
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    the_record_is_right_though_nobody_polls,
    defect_12_a_poll_without_a_known_state_changes_nothing,
    an_operation_ends_at_its_deadline,
);

async fn the_record_is_right_though_nobody_polls(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    door.provision_slowly("i").await.expect(202);
    eventually("the manager has asked by itself", async || {
        let shown = world.instance("i").await.expect(200);
        (shown["ready"] == true).then_some(())
    })
    .await;
    // Whoever polls late hears the end from the record.
    let calls = world.broker.calls_of(Verb::PollInstance).len();
    assert_eq!(door.poll("i").await.expect(200)["state"], "succeeded");
    assert_eq!(world.broker.calls_of(Verb::PollInstance).len(), calls);
    world.agree().await;
}

async fn defect_12_a_poll_without_a_known_state_changes_nothing(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    let nonsense = [
        Fault::answer(200, json!({})),
        Fault::state("thinking"),
        Fault::answer(200, json!({"state": null})),
        Fault::answer(200, json!("what")),
        Fault::status(404),
        Fault::status(500),
        Fault::Close,
    ];
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::Cycle {
            faults: nonsense.to_vec(),
        });
    door.provision_slowly("i").await.expect(202);
    for _ in 0..nonsense.len() * 2 {
        let status = door.poll("i").await.status;
        assert!(matches!(status, 200 | 404 | 500 | 502), "{status}");
        let shown = world.instance("i").await.expect(200);
        assert_eq!(shown["last_operation"]["state"], "in progress");
    }
    world.broker.behave();
    assert_eq!(door.end_of("i").await, "succeeded");
    world.agree().await;
}

async fn an_operation_ends_at_its_deadline(engine: Engine) {
    let setup = super::world::quick(engine).set("QM_OPERATIONS_LONGEST", "1s");
    let world = World::on(setup).await;
    let door = world.door();
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::state("in progress"));
    door.provision_slowly("i").await.expect(202);
    // Its deletion may end.
    world.broker.wait_for(Verb::Deprovision, 1).await.unwrap();
    world.broker.behave();
    assert!(
        world.agree().await.is_empty(),
        "a creation that takes too long is undone"
    );
}
