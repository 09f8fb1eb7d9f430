//! A change that fails: the last good values stay, and it can be tried again, taken back or changed to another.

use super::super::world::{World, plain};
use crate::harness::Engine;
use crate::harness::answer::{id, text};
use qm_testkit::hostile::{Fault, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    the_last_good_values_stay,
    it_is_tried_again_with_the_same_values,
    it_is_taken_back,
    what_the_broker_calls_unusable_is_not_bound,
    what_the_broker_does_not_want_again_is_not_sent_again,
    an_update_whose_answer_is_lost_is_asked_for,
);

fn failing(usable: Option<bool>, repeatable: Option<bool>) -> Fault {
    Fault::FailWork {
        description: "no room".to_owned(),
        instance_usable: usable,
        update_repeatable: repeatable,
    }
}

async fn the_last_good_values_stay(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let mut wish = world.slow_wish("n");
    wish["parameters"] = json!({"size": 1});
    let made = id(&person.create("?async=false", &wish).await.expect(201));
    let before = person.instance(&made).await.expect(200);
    let change = json!({"name": "m", "service_plan_id": world.sync, "parameters": {"size": 2},
        "labels": [{"op": "add", "key": "k", "values": ["v"]}]});
    for fault in [
        failing(None, None),
        Fault::status(400),
        Fault::status(500),
        Fault::Close,
    ] {
        world.broker.on(Verb::Update).times(1).then(fault.clone());
        let path = format!("{}/{made}?async=true", super::super::world::INSTANCES);
        let location = person.0.patch(&path, &change).await.location();
        let operation = person.bad_end(&location).await;
        assert_eq!(operation["type"], "update");
        let after = person.instance(&made).await.expect(200);
        for field in [
            "name",
            "service_plan_id",
            "context",
            "labels",
            "usable",
            "ready",
            "dashboard_url",
        ] {
            assert_eq!(after[field], before[field], "{field} after {fault:?}");
        }
        assert_eq!(after["state"], "update failed", "{fault:?}");
        let message = text(&after, "message");
        for part in [
            "the last change failed",
            "values it had before",
            "retry",
            "rollback",
        ] {
            assert!(message.contains(part), "no {part:?} in {message:?}");
        }
        world.settled().await;
    }
    assert!(
        world.broker.calls_of(Verb::Deprovision).is_empty(),
        "no update leads to a deletion"
    );
    // Other values are a new attempt.
    let other = json!({"parameters": {"size": 3}});
    let location = person.change(&made, &other).await.location();
    person.good_end(&location).await;
    assert_eq!(person.instance(&made).await.expect(200)["state"], "ready");
    assert_eq!(world.broker.instances()[0].parameters, json!({"size": 3}));
    world.agree().await;
}

async fn it_is_tried_again_with_the_same_values(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    world
        .broker
        .on(Verb::Update)
        .times(2)
        .then(failing(None, None));
    let change = json!({"name": "m", "service_plan_id": world.sync, "parameters": {"size": 2}});
    let location = person.change(&made, &change).await.location();
    person.bad_end(&location).await;
    // Fails again: the values are still known.
    let location = person.repair(&made, "retry").await.location();
    let operation = person.bad_end(&location).await;
    assert_eq!(operation["broker_error"]["Description"], "no room");
    let location = person.repair(&made, "retry").await.location();
    person.good_end(&location).await;
    let bodies: Vec<Value> = world
        .broker
        .calls_of(Verb::Update)
        .into_iter()
        .map(|call| call.body.unwrap())
        .collect();
    assert_eq!(bodies.len(), 3);
    for body in &bodies {
        assert_eq!(body["parameters"], json!({"size": 2}));
        assert_eq!(body["plan_id"], SYNC_PLAN);
    }
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(
        (&shown["name"], &shown["state"]),
        (&json!("m"), &json!("ready"))
    );
    assert_eq!(shown["service_plan_id"], world.sync.as_str());
    plain(
        person.repair(&made, "retry").await,
        422,
        "UnprocessableEntity",
        &["did not fail"],
    );
    world.agree().await;
}

async fn it_is_taken_back(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let mut wish = world.wish("n");
    wish["parameters"] = json!({"size": 1});
    let made = id(&person.create("", &wish).await.expect(201));
    person
        .change(&made, &json!({"parameters": {"colour": "red"}}))
        .await
        .expect(200);
    // The broker did it and said that it failed.
    let lies = Fault::work_then(Fault::status(500));
    world.broker.on(Verb::Update).times(1).then(lies);
    let change = json!({"parameters": {"size": 2}, "service_plan_id": world.slow});
    person.change(&made, &change).await.expect(502);
    assert_eq!(
        person.instance(&made).await.expect(200)["state"],
        "update failed"
    );
    let path = format!(
        "{}/{made}/rollback?async=false",
        super::super::world::INSTANCES
    );
    let back = person.0.call(http::Method::POST, &path, None).await;
    let back = back.expect(200);
    assert_eq!(
        (&back["state"], &back["service_plan_id"]),
        (&json!("ready"), &json!(world.sync))
    );
    let sent = world
        .broker
        .calls_of(Verb::Update)
        .pop()
        .unwrap()
        .body
        .unwrap();
    assert_eq!(
        sent["parameters"],
        json!({"size": 1, "colour": "red"}),
        "what it confirmed last"
    );
    assert_eq!(sent["plan_id"], SYNC_PLAN);
    let known = &world.broker.instances()[0];
    assert_eq!(known.plan_id, SYNC_PLAN);
    plain(
        person.repair(&made, "rollback").await,
        422,
        "UnprocessableEntity",
        &["did not fail"],
    );
    world.agree().await;
}

async fn what_the_broker_calls_unusable_is_not_bound(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    world
        .broker
        .on(Verb::Update)
        .times(1)
        .then(failing(Some(false), None));
    let location = person
        .change(&made, &json!({"parameters": {"a": 1}}))
        .await
        .location();
    person.bad_end(&location).await;
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(
        (&shown["usable"], &shown["state"]),
        (&json!(false), &json!("unusable"))
    );
    let message = text(&shown, "message");
    for part in ["cannot be used", "retry", "rollback"] {
        assert!(message.contains(part), "no {part:?} in {message:?}");
    }
    let refused = person.bind("", &made, "b").await;
    plain(
        refused,
        422,
        "OperationInProgress",
        &["cannot be used", "roll it back"],
    );
    // Repaired it can.
    let location = person.repair(&made, "retry").await.location();
    person.good_end(&location).await;
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(
        (&shown["usable"], &shown["state"]),
        (&json!(true), &json!("ready"))
    );
    person.bind("?async=false", &made, "b").await.expect(201);
    world.agree().await;
}

async fn what_the_broker_does_not_want_again_is_not_sent_again(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    world
        .broker
        .on(Verb::Update)
        .times(1)
        .then(failing(None, Some(false)));
    let location = person
        .change(&made, &json!({"parameters": {"a": 1}}))
        .await
        .location();
    person.bad_end(&location).await;
    let calls = world.broker.calls_of(Verb::Update).len();
    let refused = person.repair(&made, "retry").await;
    plain(
        refused,
        422,
        "UnprocessableEntity",
        &["update_repeatable", "roll it back"],
    );
    assert_eq!(world.broker.calls_of(Verb::Update).len(), calls, "P14");
    let location = person.repair(&made, "rollback").await.location();
    person.good_end(&location).await;
    assert_eq!(person.instance(&made).await.expect(200)["state"], "ready");
    world.agree().await;
}

async fn an_update_whose_answer_is_lost_is_asked_for(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    // It happened: the broker has the new plan.
    let made = world.made("n").await;
    world
        .broker
        .on(Verb::Update)
        .times(1)
        .then(Fault::lose_answer());
    let location = person
        .change(&made, &json!({"service_plan_id": world.slow}))
        .await
        .location();
    person.good_end(&location).await;
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(shown["service_plan_id"], world.slow.as_str());
    // It did not.
    let other = world.made("m").await;
    world.broker.on(Verb::Update).times(1).then(Fault::Close);
    let location = person
        .change(&other, &json!({"service_plan_id": world.slow}))
        .await
        .location();
    let operation = person.bad_end(&location).await;
    assert!(
        text(&operation["errors"], "description").contains("kept"),
        "{operation:#}"
    );
    let shown = person.instance(&other).await.expect(200);
    assert_eq!(
        (&shown["service_plan_id"], &shown["state"]),
        (&json!(world.sync), &json!("update failed"))
    );
    assert!(world.broker.calls_of(Verb::Deprovision).is_empty());
    world.agree().await;
}
