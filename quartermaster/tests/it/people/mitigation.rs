//! The table of orphan mitigation, row by row, as somebody at REST meets it.
//!
//! The rule: a deletion is sent where the table says so after a creation of our own, where somebody asked for it, and
//! nowhere else.

use super::world::{BINDINGS, INSTANCES, World, id_in};
use crate::harness::Engine;
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    after_a_creation_that_failed,
    after_a_binding_that_failed,
    after_slow_work_that_failed,
    never_after_an_update,
    a_deletion_that_broke_is_sent_again,
);

/// Every row about the answer to a call that creates: what the broker does, and whether what it may have made is
/// deleted.
fn rows() -> Vec<(Fault, bool)> {
    let body = |status: u16, body: Value| Fault::answer(status, body);
    vec![
        (body(200, json!("{\"half")), false),
        (body(201, json!("{\"half")), true),
        (body(202, json!("<html>")), true),
        (Fault::work_then(body(201, json!("[1]"))), true),
        (Fault::work_then(body(203, json!({}))), true),
        (Fault::work_then(body(204, json!(null))), true),
        (Fault::work_then(body(299, json!({}))), true),
        (Fault::redirect(302, "http://127.0.0.1:1/"), false),
        (Fault::status(400), false),
        (Fault::unauthorized(), false),
        (Fault::status(403), false),
        (Fault::status(404), false),
        (Fault::status(408), false),
        (Fault::status(409), false),
        (Fault::status(410), false),
        (Fault::status(412), false),
        (Fault::status(422), false),
        (Fault::work_then(Fault::status(500)), true),
        (Fault::status(502), true),
        (Fault::work_then(Fault::status(503)), true),
        (Fault::work_then(Fault::Hang), true),
        (Fault::Hang, true),
        (Fault::lose_answer(), true),
        (Fault::work_then(Fault::Reset), true),
    ]
}

/// How often a deletion was sent for something.
fn deletions(world: &World, verb: Verb, thing: &str) -> usize {
    let calls = world.broker.calls_of(verb).into_iter();
    calls
        .filter(|call| {
            call.instance.as_deref() == Some(thing) || call.binding.as_deref() == Some(thing)
        })
        .count()
}

async fn after_a_creation_that_failed(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    for (fault, mitigated) in rows() {
        for query in ["", "?async=true"] {
            world.broker.behave();
            world
                .broker
                .on(Verb::Provision)
                .times(1)
                .then(fault.clone());
            let answer = person.create(query, &world.wish("n")).await;
            let created = world.broker.wait_for(Verb::Provision, 1).await.unwrap();
            let id = created.last().unwrap().instance.clone().unwrap();
            if query.is_empty() {
                assert!(matches!(answer.status, 502 | 504), "{fault:?}: {answer:#?}");
                world.settled().await;
                person.instance(&id).await.refused(404, "NotFound");
            } else {
                let location = answer.location();
                let id = id_in(&location);
                person.bad_end(&location).await;
                world.settled().await;
                let shown = person.instance(&id).await.expect(200);
                assert_eq!(shown["state"], "create failed", "{fault:?}");
            }
            let id = match query {
                "" => id,
                _ => world
                    .broker
                    .calls_of(Verb::Provision)
                    .pop()
                    .unwrap()
                    .instance
                    .unwrap(),
            };
            let sent = deletions(&world, Verb::Deprovision, &id);
            assert_eq!(sent > 0, mitigated, "{fault:?} {query}: {sent} deletions");
            world.agree().await;
            if !query.is_empty() {
                person.delete(&id).await.expect(200);
            }
        }
    }
    assert!(world.agree().await.is_empty());
}

async fn after_a_binding_that_failed(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    for (fault, mitigated) in rows() {
        world.broker.behave();
        world.broker.on(Verb::Bind).times(1).then(fault.clone());
        let answer = person.bind("", &made, "b").await;
        assert!(matches!(answer.status, 502 | 504), "{fault:?}: {answer:#?}");
        let id = world
            .broker
            .calls_of(Verb::Bind)
            .pop()
            .unwrap()
            .binding
            .unwrap();
        world.settled().await;
        person.binding(&id).await.refused(404, "NotFound");
        let sent = deletions(&world, Verb::Unbind, &id);
        assert_eq!(sent > 0, mitigated, "{fault:?}: {sent} deletions");
        assert_eq!(world.agree().await, std::slice::from_ref(&made));
    }
    assert!(
        world.broker.calls_of(Verb::Deprovision).is_empty(),
        "the instance is nobody's orphan"
    );
}

async fn after_slow_work_that_failed(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    world
        .broker
        .on(Verb::Provision)
        .times(1)
        .then(Fault::fail_work("no room"));
    let location = person.create("", &world.slow_wish("n")).await.location();
    let operation = person.bad_end(&location).await;
    assert_eq!(operation["broker_error"]["Description"], "no room");
    world.settled().await;
    assert!(deletions(&world, Verb::Deprovision, &id_in(&location)) > 0);
    assert!(world.broker.instances().is_empty());
    person.delete(&id_in(&location)).await.expect(200);
    // In the request: nothing stays.
    world
        .broker
        .on(Verb::Provision)
        .times(1)
        .then(Fault::fail_work("no room"));
    let answer = person.create("?async=false", &world.slow_wish("n")).await;
    assert_eq!(
        answer.body["broker_error"]["Description"], "no room",
        "{answer:#?}"
    );
    assert_eq!(answer.status, 502);
    assert!(world.agree().await.is_empty());

    let made = world.made_slowly("n").await;
    world
        .broker
        .on(Verb::Bind)
        .times(1)
        .then(Fault::fail_work("no room"));
    let location = person.bind("", &made, "b").await.location();
    person.bad_end(&location).await;
    world.settled().await;
    assert!(deletions(&world, Verb::Unbind, &id_in(&location)) > 0);
    // What a poll does not know, cannot be read or is gone says nothing: it is asked on (P9).
    world
        .broker
        .on(Verb::PollInstance)
        .times(6)
        .then(Fault::Cycle {
            faults: vec![
                Fault::status(500),
                Fault::status(404),
                Fault::status(410),
                Fault::state("thinking"),
                Fault::NotJson,
                Fault::Close,
            ],
        });
    let location = person.create("", &world.slow_wish("m")).await.location();
    person.good_end(&location).await;
    assert_eq!(deletions(&world, Verb::Deprovision, &id_in(&location)), 0);
    person
        .unbind(&id_in(&location))
        .await
        .refused(404, "NotFound");
    world.settled().await;
}

async fn never_after_an_update(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let quick = world.made("quick").await;
    let slow = world.made_slowly("slow").await;
    let bound = world.bound(&quick, "b").await;
    let change = json!({"parameters": {"a": 1}});
    for (fault, _) in rows() {
        for made in [&quick, &slow] {
            world.broker.on(Verb::Update).times(1).then(fault.clone());
            let path = format!("{INSTANCES}/{made}?async=true");
            let answer = person.0.patch(&path, &change).await;
            person.end(&answer.location()).await;
            world.settled().await;
        }
    }
    world
        .broker
        .on(Verb::Update)
        .times(1)
        .then(Fault::fail_work("no"));
    let location = person.change(&slow, &change).await.location();
    person.bad_end(&location).await;
    let sent = world.broker.calls();
    assert!(
        sent.iter().all(|call| call.method != "DELETE"),
        "no update leads to a deletion"
    );
    let mut wanted = vec![quick, slow, bound];
    wanted.sort();
    assert_eq!(world.agree().await, wanted);
}

async fn a_deletion_that_broke_is_sent_again(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    // What the broker does, and whether the table has the deletion sent again by itself.
    let broken = [
        (Fault::status(500), true),
        (Fault::status(503), true),
        (Fault::answer(204, json!(null)), true),
        (Fault::work_then(Fault::status(500)), true),
        (Fault::Hang, false),
        (Fault::Close, false),
        (Fault::lose_answer(), false),
        (Fault::status(408), false),
        (Fault::status(422), false),
    ];
    for (fault, again) in broken {
        let made = world.made("n").await;
        let bound = world.bound(&made, "b").await;
        for (verb, thing, path) in [
            (Verb::Unbind, &bound, format!("{BINDINGS}/{bound}")),
            (Verb::Deprovision, &made, format!("{INSTANCES}/{made}")),
        ] {
            world.broker.on(verb).times(1).then(fault.clone());
            // Whatever comes of it later, whoever waits hears that it failed.
            let answer = person.0.delete(&path).await;
            assert!(
                matches!(answer.status, 502 | 504),
                "{verb:?} {fault:?}: {answer:#?}"
            );
            world.settled().await;
            let sent = deletions(&world, verb, thing);
            assert_eq!(sent > 1, again, "{verb:?} {fault:?}: {sent}");
            if !again {
                let shown = person.0.get(&path).await.expect(200);
                assert_eq!(shown["last_operation"]["state"], "failed");
                assert_eq!(shown["ready"], true, "it is kept in mind (P11)");
                person.0.delete(&path).await.expect(200);
            }
            person.0.get(&path).await.refused(404, "NotFound");
        }
        assert!(world.agree().await.is_empty());
    }
}
