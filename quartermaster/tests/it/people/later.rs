//! What is done later: a busy broker, a broker that wants to be left alone, and operations that have no end.

use super::world::{INSTANCES, World, id_in, quick, standard};
use crate::harness::Engine;
use crate::harness::answer::{id, text};
use qm_testkit::hostile::{Config, Fault, HostileBroker};
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    a_busy_broker_is_asked_later,
    operations_end_when_their_plan_says,
    the_operators_limit_counts_too,
    a_broker_that_wants_to_be_left_alone_is,
    a_broker_that_went_away_is_asked_when_it_is_back,
);

async fn a_busy_broker_is_asked_later(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let busy = || {
        Fault::answer(
            422,
            json!({"error": "ConcurrencyError", "description": "another one first"}),
        )
    };
    let change = json!({"parameters": {"a": 1}});
    let asked = |verb| world.broker.on(verb).times(2).then(busy());
    asked(Verb::Provision);
    let location = person.create("", &world.wish("n")).await.location();
    let made = id_in(&location);
    let operation = person.good_end(&location).await;
    assert!(
        text(&operation, "first_error").contains("ConcurrencyError"),
        "{operation:#}"
    );
    assert_eq!(world.broker.calls_of(Verb::Provision).len(), 3);
    asked(Verb::Update);
    let location = person.change(&made, &change).await.location();
    person.good_end(&location).await;
    asked(Verb::Bind);
    let location = person.bind("", &made, "b").await.location();
    let bound = id_in(&location);
    person.good_end(&location).await;
    let shown = person.binding(&bound).await.expect(200);
    assert_eq!(shown["credentials"]["username"], bound.as_str());
    asked(Verb::Unbind);
    let location = person.unbind(&bound).await.location();
    person.good_end(&location).await;
    // Who wants to wait, waits.
    asked(Verb::Deprovision);
    let path = format!("{INSTANCES}/{made}?async=false");
    person.0.delete(&path).await.expect(200);
    assert!(world.agree().await.is_empty());
    // Nothing was deleted for it (P12): one unbind and one deprovision each time, and not before.
    let sent = world.broker.calls();
    assert_eq!(
        sent.iter().filter(|call| call.method == "DELETE").count(),
        6
    );
}

async fn operations_end_when_their_plan_says(engine: Engine) {
    let mut catalog = standard();
    for plan in catalog["services"][0]["plans"].as_array_mut().unwrap() {
        plan["maximum_polling_duration"] = json!(1);
    }
    let world = World::with_catalog(quick(engine), &catalog).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    let bound = id(&person.bind("?async=false", &made, "b").await.expect(201));
    for verb in [Verb::PollInstance, Verb::PollBinding] {
        world
            .broker
            .on(verb)
            .always()
            .then(Fault::state("in progress"));
    }
    let ended = async |location: &str| {
        let operation = person.bad_end(location).await;
        assert_eq!(operation["errors"]["error"], "Timeout", "{operation:#}");
        operation
    };
    // A creation: failed, and what the broker has of it is deleted.
    let creating = person.create("", &world.slow_wish("m")).await.location();
    let binding = person.bind("", &made, "c").await.location();
    ended(&creating).await;
    ended(&binding).await;
    // A deletion: failed, and the thing is as it was.
    let unbinding = person.unbind(&bound).await.location();
    ended(&unbinding).await;
    let shown = person.binding(&bound).await.expect(200);
    assert_eq!(shown["last_operation"]["state"], "failed");
    // A change: the same.
    let changing = person
        .change(&made, &json!({"parameters": {"a": 1}}))
        .await
        .location();
    ended(&changing).await;
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(shown["state"], "update failed");
    // In the request it is an answer.
    let waited = person.create("?async=false", &world.slow_wish("w")).await;
    assert_eq!(waited.status, 502, "{waited:#?}");
    world.broker.behave();
    world.settled().await;
    let there = world.broker.instances();
    assert_eq!(there.len(), 1, "{there:#?}");
    assert_eq!(there[0].id, made);
}

async fn the_operators_limit_counts_too(engine: Engine) {
    let setup = quick(engine).set("QM_OPERATIONS_LONGEST", "2s");
    let world = World::on(setup).await;
    let person = world.person();
    let made = world.made("n").await;
    // Deletions that break are tried until then.
    world
        .broker
        .on(Verb::Deprovision)
        .always()
        .then(Fault::status(500));
    person.delete(&made).await.expect(502);
    world.settled().await;
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(shown["state"], "delete failed");
    let operation = &shown["last_operation"];
    assert!(operation["attempts"].as_u64() > Some(0), "{operation:#}");
    assert!(
        text(operation, "first_error").contains("500"),
        "{operation:#}"
    );
    assert_eq!(operation.get("next_attempt_at"), None, "{operation:#}");
    // Nothing is in the way any more.
    world.bound(&made, "b").await;
    // So are creations that a busy broker puts off: they were never made.
    let busy = Fault::answer(422, json!({"error": "ConcurrencyError"}));
    world.broker.on(Verb::Provision).always().then(busy);
    let location = person.create("", &world.wish("m")).await.location();
    let operation = person.bad_end(&location).await;
    assert_eq!(operation["errors"]["error"], "Timeout", "{operation:#}");
    world.broker.behave();
    let path = format!("{INSTANCES}/{made}?cascade=true");
    let location = person.0.delete(&path).await.location();
    person.good_end(&location).await;
    world.settled().await;
    assert!(world.broker.instances().is_empty());
}

async fn a_broker_that_wants_to_be_left_alone_is(engine: Engine) {
    let config = Config {
        retry_after: Some(2),
        polls: 2,
        ..Config::default()
    };
    let broker = HostileBroker::start_with(config).await.unwrap();
    let world = World::around(quick(engine).start().await, broker).await;
    world.made_slowly("n").await;
    let polls = world.broker.calls_of(Verb::PollInstance);
    assert_eq!(polls.len(), 3);
    for pair in polls.windows(2) {
        let between = pair[1].millis - pair[0].millis;
        assert!(between >= 1_900, "P10: asked again after {between} ms");
    }
}

async fn a_broker_that_went_away_is_asked_when_it_is_back(engine: Engine) {
    let mut world = World::start(engine).await;
    let person = world.person();
    let creating = person.create("", &world.slow_wish("n")).await.location();
    world.broker.stop().await;
    let seen = crate::harness::eventually("it was asked in vain", async || {
        let operation = person.0.get(&creating).await.expect(200);
        (operation["attempts"].as_u64() >= Some(2)).then_some(operation)
    })
    .await;
    assert_eq!(seen["state"], "in progress");
    world.broker.resume().unwrap();
    person.good_end(&creating).await;
    assert_eq!(world.agree().await.len(), 1);
}
