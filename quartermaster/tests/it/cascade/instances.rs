//! Instances with what refers to them, and deletions by force.

use super::{cascade, end, populate, quick, start, succeeded, told, tree};
use crate::harness::answer::text;
use crate::harness::{Engine, eventually};
use crate::osb::world::World;
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    what_refers_to_it_goes_without_its_broker,
    a_deletion_under_way_is_waited_for,
    what_no_broker_deletes_goes_by_force,
    force_has_an_end_when_nobody_answers,
    a_broken_binding_keeps_its_instance,
);

const INSTANCES: &str = "/v1/service_instances";
const BINDINGS: &str = "/v1/service_bindings";

async fn what_refers_to_it_goes_without_its_broker(engine: Engine) {
    let world = start(engine).await;
    populate(&world, "i", 2).await;
    // A reference is a record alone: the broker has never heard of it.
    world
        .manager
        .sql("UPDATE instance SET shared = TRUE WHERE id = 'i-0'");
    world
        .manager
        .sql("UPDATE instance SET referenced_instance_id = 'i-0' WHERE id = 'i-1'");
    world.broker.forget("i-1");
    let admin = world.manager.admin();
    let location = cascade(&admin, &format!("{INSTANCES}/i-0"))
        .await
        .location();
    let operation = end(&admin, &location).await;
    succeeded(&operation);
    assert!(world.agree().await.is_empty());
    let calls = world.broker.calls_of(Verb::Deprovision);
    let called: Vec<_> = calls.iter().map(|call| call.instance.as_deref()).collect();
    assert_eq!(
        called,
        [Some("i-0")],
        "the broker is not asked for references"
    );
    assert_eq!(world.broker.calls_of(Verb::Unbind).len(), 2);
    let tree = tree(&admin, &text(&operation, "id")).await;
    assert_eq!(tree.len(), 4, "{tree:#?}");
}

async fn a_deletion_under_way_is_waited_for(engine: Engine) {
    let world = start(engine).await;
    populate(&world, "i", 2).await;
    let door = world.door();
    door.provision_slowly("slow").await.expect(202);
    assert_eq!(door.end_of("slow").await, "succeeded");
    let admin = world.manager.admin();
    // Somebody deletes one of them already, and the broker takes its time.
    let poll = world.broker.on(Verb::PollInstance).for_instance("slow");
    poll.then(Fault::answer(200, json!({"state": "in progress"})));
    let own = admin.delete(&format!("{INSTANCES}/slow?async=true")).await;
    let own = own.location();
    eventually("the broker works on it", async || {
        let called = world.broker.calls_of(Verb::Deprovision).len();
        (called == 1).then_some(())
    })
    .await;
    let path = format!("/v1/platforms/{}", world.platform.id);
    let location = cascade(&admin, &path).await.location();
    eventually("only that one is left", async || {
        let left: Vec<String> = world.recorded().await.into_keys().collect();
        (left == ["slow"]).then_some(())
    })
    .await;
    let shown = admin.get(&location).await.expect(200);
    assert_eq!(shown["state"], "in progress", "{shown:#}");
    world.broker.behave();
    let operation = end(&admin, &location).await;
    succeeded(&operation);
    succeeded(&end(&admin, &own).await);
    assert!(world.agree().await.is_empty());
    let tree = tree(&admin, &text(&operation, "id")).await;
    assert!(!tree.iter().any(|node| node["resource_id"] == "slow"));
    let calls = world.broker.calls_of(Verb::Deprovision);
    assert_eq!(calls.len(), 3, "none is deleted twice");
}

async fn what_no_broker_deletes_goes_by_force(engine: Engine) {
    let world = start(engine).await;
    populate(&world, "i", 1).await;
    for verb in [Verb::Unbind, Verb::Deprovision] {
        let no = Fault::answer(400, json!({"description": "not today"}));
        world.broker.on(verb).always().then(no);
    }
    let admin = world.manager.admin();
    let path = format!("{INSTANCES}/i-0?cascade=true&force=true");
    let operation = end(&admin, &admin.delete(&path).await.location()).await;
    succeeded(&operation);
    assert!(world.recorded().await.is_empty());
    assert_eq!(
        world.existing().len(),
        3,
        "it is still at the broker, as was said"
    );
    for node in tree(&admin, &text(&operation, "id")).await {
        assert_eq!(node["state"], "succeeded", "{node:#}");
        assert!(
            text(&node["errors"], "description").contains("400"),
            "{node:#}"
        );
    }
}

/// SAP/sap-btp-service-operator: a deletion that nobody answers is a dead end. By force it is not.
async fn force_has_an_end_when_nobody_answers(engine: Engine) {
    let setup = quick(engine).set("QM_OPERATIONS_FORCE_DEADLINE", "1s");
    let mut world = World::on(setup).await;
    populate(&world, "i", 1).await;
    world.broker.stop().await;
    let admin = world.manager.admin();
    let path = format!("{BINDINGS}/i-0-b0?cascade=true&force=true");
    let operation = end(&admin, &admin.delete(&path).await.location()).await;
    succeeded(&operation);
    assert!(
        operation["attempts"].as_i64() > Some(0),
        "it is not given up at once: {operation:#}"
    );
    let left: Vec<String> = world.recorded().await.into_keys().collect();
    assert_eq!(left, ["i-0", "i-0-b1"]);
    let path = format!("{INSTANCES}/i-0?cascade=true&force=true");
    let operation = end(&admin, &admin.delete(&path).await.location()).await;
    succeeded(&operation);
    assert!(world.recorded().await.is_empty());
}

async fn a_broken_binding_keeps_its_instance(engine: Engine) {
    let world = start(engine).await;
    populate(&world, "i", 1).await;
    let admin = world.manager.admin();
    let no = Fault::answer(400, json!({"description": "not today"}));
    world.broker.on(Verb::Unbind).for_binding("i-0-b1").then(no);
    let path = format!("{INSTANCES}/i-0");
    let operation = end(&admin, &cascade(&admin, &path).await.location()).await;
    assert_eq!(operation["state"], "failed");
    assert_eq!(told(&operation), ["i-0 > i-0-b1"]);
    assert!(world.broker.calls_of(Verb::Deprovision).is_empty());
    let shown = admin.get(&path).await.expect(200);
    assert_eq!(
        (&shown["ready"], &shown["usable"]),
        (&json!(true), &json!(true))
    );
    // It can still be used.
    world.door().bind("i-0", "i-0-b2").await.expect(201);
    world.broker.behave();
    let location = eventually("it is free again", async || {
        let answer = cascade(&admin, &path).await;
        (answer.status == 202).then(|| answer.location())
    })
    .await;
    succeeded(&end(&admin, &location).await);
    assert!(world.agree().await.is_empty());
    cascade(&admin, &path).await.refused(404, "NotFound");
}
