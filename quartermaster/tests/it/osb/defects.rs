//! Defects of the old manager that concern OSB traffic and that no other file here is about, by their number.

use super::world::{Door, World, quick, wanted};
use crate::harness::answer::{id, items};
use crate::harness::{Engine, Platform, brokers, eventually};
use qm_testkit::hostile::{ASYNC_PLAN, Fault, SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    defect_03_a_platform_reads_nothing_of_another,
    defect_08_an_update_that_outlives_its_process_applies_the_new_plan,
    defect_11_a_deletion_that_fails_later_reverts_nothing,
    defect_18_a_failure_is_answered_before_it_is_cleaned_up,
    defect_19_deletions_that_hang_keep_nobody_from_being_followed,
    defect_24_long_names_are_kept_whole,
    defect_24_what_cannot_be_recorded_is_found_out_later,
);

async fn defect_03_a_platform_reads_nothing_of_another(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    door.provision("i").await.expect(201);
    door.bind("i", "b").await.expect(201);
    let other = Platform::register(&world.manager, "other", "kubernetes").await;
    let (theirs, own) = (other.client(), world.platform.client());
    for (path, resource) in [
        ("/v1/service_instances", "i"),
        ("/v1/service_bindings", "b"),
    ] {
        let one = format!("{path}/{resource}");
        theirs.get(&one).await.expect(404);
        assert_eq!(theirs.get(path).await.expect(200)["num_items"], 0, "{path}");
        let shown = own.get(&one).await.expect(200);
        assert!(shown["credentials"].is_null(), "{shown}");
        let last = &shown["last_operation"]["id"];
        let operation = format!("{one}/operations/{}", last.as_str().unwrap());
        let refused = theirs.get(&operation).await;
        refused.expect(404);
        own.get(&operation).await.expect(200);
    }
    let seen = items(&theirs.get("/v1/operations").await.expect(200));
    assert!(seen.is_empty(), "{seen:?}");
    let seen = items(&own.get("/v1/operations").await.expect(200));
    assert!(
        seen.iter().any(|item| item["resource_id"] == "i"),
        "{seen:?}"
    );
}

async fn defect_08_an_update_that_outlives_its_process_applies_the_new_plan(engine: Engine) {
    let mut world = World::start(engine).await;
    let door = world.door();
    door.provision_slowly("i").await.expect(202);
    assert_eq!(door.end_of("i").await, "succeeded");
    let before = world.instance("i").await.expect(200);
    let polls = world.broker.on(Verb::PollInstance).always();
    polls.then(Fault::state("in progress"));
    let change =
        json!({"plan_id": SYNC_PLAN, "context": {"namespace": "new", "instance_name": "new"}});
    door.update("i", &change).await.expect(202);
    world.manager.kill9();
    world.manager.restart().await;
    let shown = world.instance("i").await.expect(200);
    assert_eq!(shown["service_plan_id"], before["service_plan_id"]);
    world.broker.behave();
    // Nobody polls but the manager itself.
    world.agree().await;
    let shown = world.instance("i").await.expect(200);
    assert_eq!(shown["last_operation"]["type"], "update");
    assert_eq!(shown["last_operation"]["state"], "succeeded");
    assert_ne!(shown["service_plan_id"], before["service_plan_id"]);
    assert_eq!(shown["context"]["namespace"], "new");
    assert_eq!(shown["name"], "new");
    assert_eq!(world.broker.instances()[0].plan_id, SYNC_PLAN);
}

async fn defect_11_a_deletion_that_fails_later_reverts_nothing(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    door.provision("i").await.expect(201);
    let change =
        json!({"plan_id": ASYNC_PLAN, "context": {"namespace": "new", "instance_name": "new"}});
    door.update("i", &change).await.expect(200);
    let before = world.instance("i").await.expect(200);
    assert_eq!(before["name"], "new");
    let fails = Fault::fail_work("no");
    world.broker.on(Verb::Deprovision).times(1).then(fails);
    door.deprovision_of("i", ASYNC_PLAN).await.expect(202);
    assert_eq!(door.end_of("i").await, "failed");
    let after = world.instance("i").await.expect(200);
    assert_eq!(after["last_operation"]["type"], "delete");
    assert_eq!(after["last_operation"]["state"], "failed");
    for field in ["service_plan_id", "context", "name", "ready", "usable"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    // It may be tried again.
    door.deprovision_of("i", ASYNC_PLAN).await.expect(202);
    assert!(world.agree().await.is_empty());
}

async fn defect_18_a_failure_is_answered_before_it_is_cleaned_up(engine: Engine) {
    let world = World::on(quick(engine).set("QM_OPERATIONS_MITIGATION_GRACE", "1h")).await;
    let door = world.door();
    door.provision("whole").await.expect(201);
    for verb in [Verb::Provision, Verb::Bind] {
        let broken = Fault::work_then(Fault::status(500));
        world.broker.on(verb).times(1).then(broken);
    }
    // An hour lies before what is left is deleted, and the answers are here.
    assert!(door.provision("i").await.status >= 500);
    assert!(door.bind("whole", "b").await.status >= 500);
    let calls = world.broker.calls();
    assert!(
        calls.iter().all(|call| call.method != "DELETE"),
        "{calls:#?}"
    );
    let mut open = world.open_operations();
    open.sort();
    assert_eq!(open, ["b create mitigating", "i create mitigating"]);
    // The platform need not wait for that hour.
    door.unbind("whole", "b").await.expect(200);
    door.deprovision("i").await.expect(200);
    assert_eq!(world.agree().await.len(), 1);
}

async fn defect_19_deletions_that_hang_keep_nobody_from_being_followed(engine: Engine) {
    // A broker that hangs hangs for longer than this test lasts.
    let setup = quick(engine)
        .set("QM_SERVER_REQUEST_TIMEOUT", "6m")
        .set("QM_BROKERS_TIMEOUT", "4m")
        .set("QM_BROKERS_HEADER_TIMEOUT", "4m");
    let mut world = World::on(setup).await;
    let door = world.door();
    world
        .broker
        .on(Verb::Provision)
        .always()
        .then(Fault::work_then(Fault::status(500)));
    world
        .broker
        .on(Verb::Deprovision)
        .always()
        .then(Fault::Hang);
    const MANY: usize = 100;
    for n in 0..MANY {
        assert!(door.provision(&format!("i-{n}")).await.status >= 500);
    }
    let hanging = world.broker.wait_for(Verb::Deprovision, MANY).await;
    hanging.unwrap_or_else(|error| panic!("not all are worked on at once: {error}"));

    let admin = world.manager.admin();
    let good = brokers::broker().await;
    let registered = brokers::register(&admin, "good", &good).await;
    for plan in brokers::plans(&admin, &registered).await {
        brokers::show(&admin, &plan, None).await.expect(201);
    }
    let good_door = Door {
        path: format!("/v1/osb/{}/v2", id(&registered)),
        ..world.door()
    };
    for n in 0..3 {
        let id = format!("good-{n}");
        good_door.provision_slowly(&id).await.expect(202);
        // Nobody polls but the manager itself.
        eventually("the good broker's operation is followed", async || {
            (world.instance(&id).await.expect(200)["ready"] == true).then_some(())
        })
        .await;
    }
    let calls = world.broker.calls_of(Verb::Deprovision);
    assert!(calls.iter().all(|call| !call.answered), "they hang still");
    assert_eq!(calls.len(), MANY);
    for n in 0..3 {
        let id = format!("good-{n}");
        good_door.deprovision_of(&id, ASYNC_PLAN).await.expect(202);
    }
    world.broker.behave();
    // Whoever hangs learns that nobody will answer.
    world.broker.stop().await;
    world.broker.resume().unwrap();
    assert!(world.agree().await.is_empty());
    assert!(good.instances().is_empty());
}

async fn defect_24_long_names_are_kept_whole(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    // A part that cannot be written shorter, and a part that can.
    let hard = (0..2_000 / 32).map(|n| {
        let odd = 0x9e37_79b9_7f4a_7c15_f39c_0c2b_4a56_9d5c_u128;
        format!("{:032x}", odd.wrapping_mul(2 * n + 1))
    });
    let long = format!("{}{}", hard.collect::<String>(), "x".repeat(3_000));
    let correlation = &long[..255];
    let mut wish = wanted(SYNC_PLAN);
    wish["context"]["instance_name"] = json!(long);
    let headers = [
        ("content-type", "application/json"),
        ("x-correlation-id", correlation),
    ];
    let put = http::Method::PUT;
    let path = door.url("i");
    door.client
        .send(put.clone(), &path, &headers, wish.to_string())
        .await
        .expect(201);
    let shown = world.instance("i").await.expect(200);
    assert_eq!(shown["name"], long.as_str());
    assert_eq!(shown["last_operation"]["correlation_id"], correlation);
    let call = &world.broker.calls_of(Verb::Provision)[0];
    assert_eq!(call.header("x-correlation-id"), Some(correlation));
    let body = json!({
        "service_id": SERVICE, "plan_id": SYNC_PLAN,
        "context": {"platform": "kubernetes", "name": long},
    });
    let path = door.binding_url("i", "b");
    door.client
        .send(put, &path, &headers, body.to_string())
        .await
        .expect(201);
    door.update(
        "i",
        &json!({"context": {"instance_name": format!("{long}-2")}}),
    )
    .await
    .expect(200);
    let shown = world.instance("i").await.expect(200);
    assert_eq!(shown["name"], format!("{long}-2"));
    world.agree().await;
}

async fn defect_24_what_cannot_be_recorded_is_found_out_later(engine: Engine) {
    let setup = quick(engine)
        .set("QM_BROKERS_TIMEOUT", "5s")
        .set("QM_BROKERS_HEADER_TIMEOUT", "4s");
    let world = World::on(setup).await;
    let slow = world.broker.on(Verb::Provision).always();
    slow.then(Fault::slow(1_000));
    let asking = tokio::spawn({
        let door = world.door();
        async move { door.provision("i").await }
    });
    world.broker.wait_for(Verb::Provision, 1).await.unwrap();
    // The intent is stored; the outcome cannot be, for it comes with an event.
    world.manager.sql("ALTER TABLE event RENAME TO event_away");
    let answer = asking.await.unwrap();
    world.manager.sql("ALTER TABLE event_away RENAME TO event");
    assert!(answer.status >= 500, "{answer:?}");
    assert_eq!(world.broker.instances().len(), 1, "the broker succeeded");
    let there = world.agree().await;
    assert_eq!(there.len(), world.broker.instances().len());
    // The platform comes back with the same wish.
    world.broker.behave();
    let again = world.door().provision("i").await;
    assert!(matches!(again.status, 200 | 201), "{again:?}");
    assert_eq!(world.agree().await.len(), 1);
}
