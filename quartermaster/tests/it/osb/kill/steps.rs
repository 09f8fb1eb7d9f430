//! The process ends at each step of each verb in turn, by `QUARTERMASTER_DIE_AT`.

use super::super::world::World;
use crate::harness::Engine;
use qm_testkit::hostile::{ASYNC_PLAN, SYNC_PLAN};
use serde_json::{Value, json};

on_both_engines!(at_every_step_of_every_verb);

const VERBS: [&str; 5] = ["provision", "bind", "update", "unbind", "deprovision"];
const STEPS: [&str; 4] = ["entered", "intent", "called", "outcome"];

async fn at_every_step_of_every_verb(engine: Engine) {
    let mut world = World::start(engine).await;
    for verb in VERBS {
        for step in STEPS {
            die(&mut world, SYNC_PLAN, verb, step).await;
        }
        // What the broker goes on with by itself.
        die(&mut world, ASYNC_PLAN, verb, "called").await;
    }
    // Whoever takes an operation up may die as well.
    for verb in VERBS {
        die_twice(&mut world, verb).await;
    }
}

/// One death: prepare, die, start again, compare.
async fn die(world: &mut World, plan: &str, verb: &str, step: &str) {
    let case = format!("{verb}.{step}");
    let id = format!(
        "{verb}-{step}-{}",
        if plan == SYNC_PLAN { "s" } else { "a" }
    );
    let before = prepare(world, plan, verb, &id).await;
    world
        .manager
        .restart_with(&[("QUARTERMASTER_DIE_AT", &case)])
        .await;
    assert!(
        send(world, plan, verb, &id).await.is_none(),
        "{case}: it did not die"
    );
    world
        .manager
        .restart_with(&[("QUARTERMASTER_DIE_AT", "")])
        .await;
    check(world, verb, step, &id, &before).await;
    clean(world, plan, &id).await;
}

async fn die_twice(world: &mut World, verb: &str) {
    let id = format!("{verb}-twice");
    let before = prepare(world, SYNC_PLAN, verb, &id).await;
    let case = format!("{verb}.called");
    world
        .manager
        .restart_with(&[("QUARTERMASTER_DIE_AT", &case)])
        .await;
    assert!(send(world, SYNC_PLAN, verb, &id).await.is_none());
    // A worker takes it up and dies at once, by itself.
    let case = format!("{verb}.resumed");
    world
        .manager
        .restart_to_die(&[("QUARTERMASTER_DIE_AT", &case)])
        .await;
    world
        .manager
        .restart_with(&[("QUARTERMASTER_DIE_AT", "")])
        .await;
    check(world, verb, "called", &id, &before).await;
    clean(world, SYNC_PLAN, &id).await;
}

/// What must be there before the verb; gives the instance as the manager shows it.
async fn prepare(world: &World, plan: &str, verb: &str, id: &str) -> Value {
    if verb == "provision" {
        return Value::Null;
    }
    let door = world.door();
    let made = door
        .provision_as(id, &super::super::world::wanted(plan))
        .await;
    assert!(made.status < 300, "{made:?}");
    assert_eq!(door.end_of(id).await, "succeeded");
    if verb == "unbind" {
        let body = json!({"service_id": qm_testkit::hostile::SERVICE, "plan_id": plan});
        let bound = door.bind_as(id, &format!("{id}-b"), &body).await;
        assert!(bound.status < 300, "{bound:?}");
        world.agree().await;
    }
    world.instance(id).await.expect(200)
}

/// Sends the request; `None` when the manager died over it.
async fn send(world: &World, plan: &str, verb: &str, id: &str) -> Option<u16> {
    use http::Method;
    let door = world.door();
    let ids = format!("service_id={}&plan_id={plan}", qm_testkit::hostile::SERVICE);
    let incomplete = "accepts_incomplete=true";
    let named = json!({"service_id": qm_testkit::hostile::SERVICE, "plan_id": plan});
    let binding = door.binding_url(id, &format!("{id}-b"));
    let (method, path, body) = match verb {
        "provision" => (
            Method::PUT,
            format!("{}?{incomplete}", door.url(id)),
            super::super::world::wanted(plan),
        ),
        "update" => (
            Method::PATCH,
            format!("{}?{incomplete}", door.url(id)),
            json!({"service_id": qm_testkit::hostile::SERVICE, "plan_id": other(plan)}),
        ),
        "bind" => (Method::PUT, format!("{binding}?{incomplete}"), named),
        "unbind" => (
            Method::DELETE,
            format!("{binding}?{incomplete}&{ids}"),
            Value::Null,
        ),
        _ => (
            Method::DELETE,
            format!("{}?{incomplete}&{ids}", door.url(id)),
            Value::Null,
        ),
    };
    let json = [("content-type", "application/json")];
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let answer = door.client.try_send(method, &path, &json, body).await;
    answer.ok().map(|answer| answer.status)
}

fn other(plan: &str) -> &'static str {
    if plan == SYNC_PLAN {
        ASYNC_PLAN
    } else {
        SYNC_PLAN
    }
}

/// Both records agree, and the verb has happened or not as its step demands.
async fn check(world: &World, verb: &str, step: &str, id: &str, before: &Value) {
    let case = format!("{verb}.{step}");
    let there = world.agree().await;
    let binding = format!("{id}-b");
    match (verb, step) {
        // Nothing was stored, so nothing was begun.
        (_, "entered") => {
            assert_eq!(there.contains_key(id), verb != "provision", "{case}");
            assert_eq!(there.contains_key(&binding), verb == "unbind", "{case}");
        }
        // The outcome was stored; only the platform did not hear of it.
        ("provision", "outcome") => assert!(there.contains_key(id), "{case}"),
        ("bind", "outcome") => assert!(there.contains_key(&binding), "{case}"),
        ("deprovision", _) => assert!(!there.contains_key(id), "{case}: a deletion is finished"),
        ("unbind", _) => assert!(
            !there.contains_key(&binding),
            "{case}: a deletion is finished"
        ),
        ("update", "intent") => {
            let shown = world.instance(id).await.expect(200);
            assert_eq!(
                shown["service_plan_id"], before["service_plan_id"],
                "{case}"
            );
        }
        // In between, either is right as long as the records agree.
        _ => {}
    }
    if verb != "provision" && verb != "deprovision" {
        assert!(
            there.contains_key(id),
            "{case}: nothing else may be deleted"
        );
    }
}

async fn clean(world: &World, plan: &str, id: &str) {
    let door = world.door();
    let there = world.agree().await;
    let binding = format!("{id}-b");
    if there.contains_key(&binding) {
        door.unbind(id, &binding).await;
        world.agree().await;
    }
    if there.contains_key(id) {
        door.deprovision_of(id, plan).await;
        world.agree().await;
    }
}
