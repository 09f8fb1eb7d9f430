//! A deletion while something else is under way: it cancels, takes over or waits, and always ends.

use super::super::world::{World, id_in};
use crate::harness::{Engine, eventually};
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    what_was_never_sent_is_cancelled,
    what_is_being_sent_is_waited_for,
    what_the_broker_works_on_is_taken_over,
    what_is_being_cleaned_up_is_taken_over,
    a_change_under_way_is_taken_over,
    a_binding_under_way_is_taken_over,
);

/// The broker is busy with another one of the same: the creation is queued for later.
async fn what_was_never_sent_is_cancelled(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let busy = Fault::answer(422, json!({"error": "ConcurrencyError"}));
    world.broker.on(Verb::Provision).always().then(busy);
    let location = person
        .create("?async=true", &world.wish("n"))
        .await
        .location();
    let id = id_in(&location);
    world
        .broker
        .wait_for((Verb::Provision, &*id), 2)
        .await
        .unwrap();
    eventually("it is deleted", async || {
        let answer = person.delete(&id).await;
        assert!([200, 202, 404].contains(&answer.status), "{answer:#?}");
        (person.instance(&id).await.status == 404).then_some(())
    })
    .await;
    let operation = person.bad_end(&location).await;
    assert_eq!(operation["type"], "create");
    let sent = world.broker.calls_of(Verb::Provision).len();
    world.broker.behave();
    assert!(world.agree().await.is_empty());
    assert_eq!(
        world.broker.calls_of(Verb::Provision).len(),
        sent,
        "it was sent all the same"
    );
}

async fn what_is_being_sent_is_waited_for(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    for fault in [
        Fault::slow(500),
        Fault::Slow {
            millis: 500,
            then: Box::new(Fault::status(500)),
        },
    ] {
        world.broker.on(Verb::Provision).times(1).then(fault);
        let before = world.broker.calls_of(Verb::Provision).len();
        let location = person
            .create("?async=true", &world.wish("n"))
            .await
            .location();
        let id = id_in(&location);
        world
            .broker
            .wait_for(Verb::Provision, before + 1)
            .await
            .unwrap();
        let answer = person.delete(&id).await;
        assert!([200, 202].contains(&answer.status), "{answer:#?}");
        person.end(&location).await;
        eventually("it is gone", async || {
            (person.instance(&id).await.status == 404).then_some(())
        })
        .await;
        assert!(world.agree().await.is_empty());
    }
}

async fn what_the_broker_works_on_is_taken_over(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let working = world.broker.on(Verb::PollInstance);
    working.always().then(Fault::state("in progress"));
    let location = person.create("", &world.slow_wish("n")).await.location();
    let id = id_in(&location);
    let deletion = person.delete(&id).await.location();
    assert_ne!(location, deletion);
    let created = person.bad_end(&location).await;
    assert_eq!(created["type"], "create");
    world.broker.behave();
    person.good_end(&deletion).await;
    person.instance(&id).await.refused(404, "NotFound");
    assert!(world.agree().await.is_empty());
}

async fn what_is_being_cleaned_up_is_taken_over(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    world
        .broker
        .on(Verb::Provision)
        .times(1)
        .then(Fault::work_then(Fault::status(500)));
    world
        .broker
        .on(Verb::Deprovision)
        .always()
        .then(Fault::status(500));
    let location = person
        .create("?async=true", &world.wish("n"))
        .await
        .location();
    let id = id_in(&location);
    let failed = person.bad_end(&location).await;
    world
        .broker
        .wait_for((Verb::Deprovision, &*id), 2)
        .await
        .unwrap();
    let cleaning = person.0.get(&location).await.expect(200);
    assert_ne!(
        cleaning["deletion_scheduled"], "0001-01-01T00:00:00Z",
        "{failed:#}"
    );
    let shown = person.instance(&id).await.expect(200);
    assert_eq!(shown["state"], "create failed");
    assert!(
        shown["message"].as_str().unwrap().contains("by itself"),
        "{shown:#}"
    );
    // The deletion fails as well, is said to have failed, and is tried on.
    person.delete(&id).await.expect(502);
    assert_eq!(person.instance(&id).await.expect(200)["ready"], false);
    world.broker.behave();
    eventually("it is gone", async || {
        (person.instance(&id).await.status == 404).then_some(())
    })
    .await;
    assert!(world.agree().await.is_empty());
}

async fn a_change_under_way_is_taken_over(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    let working = world.broker.on(Verb::PollInstance).for_instance(&made);
    working.times(2).then(Fault::state("in progress"));
    let change = person
        .change(&made, &json!({"parameters": {"a": 1}}))
        .await
        .location();
    let answer = person.delete(&made).await;
    assert!([200, 202].contains(&answer.status), "{answer:#?}");
    person.end(&change).await;
    // This broker's time passes only when it is asked: who deletes asks for the change as well.
    eventually("it is gone", async || {
        (person.instance(&made).await.status == 404).then_some(())
    })
    .await;
    assert!(world.agree().await.is_empty());
}

async fn a_binding_under_way_is_taken_over(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    world
        .broker
        .on(Verb::PollBinding)
        .always()
        .then(Fault::state("in progress"));
    let location = person.bind("", &made, "b").await.location();
    let deletion = person.unbind(&id_in(&location)).await.location();
    person.bad_end(&location).await;
    world.broker.behave();
    person.good_end(&deletion).await;
    assert_eq!(world.agree().await, [made]);
}
