//! A deletion that fails: what is said, what is still possible, and the two ways on.

use super::super::world::{INSTANCES, Person, World, plain, quick};
use crate::harness::answer::{id, text};
use crate::harness::{Engine, eventually};
use qm_testkit::hostile::{Fault, Phase};
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    from_the_readme,
    a_broker_that_refuses_to_delete,
    a_broker_that_breaks_over_a_deletion,
    a_slow_deletion_that_fails,
    a_binding_that_cannot_be_deleted,
    undelete_asks_the_broker_what_it_has,
    undelete_of_a_cascade_keeps_what_was_not_asked_for_yet,
    what_was_never_made_can_only_be_deleted,
    what_the_broker_deletes_unheard_is_not_kept,
);

/// Create, bind, stop the broker, see what the operation says, undelete, delete for good.
async fn from_the_readme(engine: Engine) {
    let mut world = World::start(engine).await;
    let person = world.person();
    let made = world.made("mine").await;
    let bound = world.bound(&made, "b").await;
    person.unbind(&bound).await.expect(200);
    world.broker.stop().await;
    let refused = person.delete(&made).await;
    let said = plain(refused, 502, "BrokerError", &["nothing listens there"]);
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(shown["state"], "delete failed");
    assert_eq!(
        (&shown["ready"], &shown["usable"]),
        (&json!(true), &json!(true))
    );
    let message = text(&shown, "message");
    for part in [
        "deleting it failed",
        "still be used",
        "undelete",
        "force=true",
        &made,
    ] {
        assert!(message.contains(part), "no {part:?} in {message:?}");
    }
    let operation = &shown["last_operation"];
    assert_eq!(
        (&operation["type"], &operation["state"]),
        (&json!("delete"), &json!("failed"))
    );
    assert_eq!(text(operation, "first_error"), said);
    assert_eq!(text(&operation["errors"], "description"), said);
    assert_eq!(
        operation["next_attempt_at"],
        json!(null),
        "nobody tries by itself"
    );
    let steps = operation["steps"].as_array().unwrap();
    assert_eq!(steps[0]["description"], "accepted");
    assert!(
        text(steps.last().unwrap(), "description").starts_with("failed: "),
        "{operation:#}"
    );
    // In the background it is the same story.
    let later = person
        .0
        .delete(&format!("{INSTANCES}/{made}?async=true"))
        .await
        .location();
    let failed = person.bad_end(&later).await;
    assert_eq!(text(&failed, "first_error"), said);
    let retried = person.repair(&made, "retry").await.location();
    person.bad_end(&retried).await;
    // It is kept, although the broker cannot be asked; and bound again when the broker is back.
    let kept = person.repair(&made, "undelete").await.expect(200);
    assert_eq!(
        (&kept["state"], kept.get("message")),
        (&json!("ready"), None)
    );
    assert_eq!(kept["last_operation"]["state"], "succeeded");
    world.broker.resume().unwrap();
    let bound = world.bound(&made, "b").await;
    person.unbind(&bound).await.expect(200);
    person.delete(&made).await.expect(200);
    person.instance(&made).await.refused(404, "NotFound");
    assert!(world.agree().await.is_empty());
}

async fn a_broker_that_refuses_to_delete(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    let said = json!({"error": "HasClones", "description": "delete the clones c1 and c2 first"});
    world
        .broker
        .on(Verb::Deprovision)
        .times(2)
        .then(Fault::answer(400, said));
    let answer = person.delete(&made).await;
    assert_eq!(
        answer.body["broker_error"]["Description"],
        "delete the clones c1 and c2 first"
    );
    plain(answer, 502, "BrokerError", &["400"]);
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(shown["state"], "delete failed");
    assert!(text(&shown, "message").contains("400"), "{shown:#}");
    assert_eq!(
        shown["last_operation"]["broker_error"]["ErrorMessage"],
        "HasClones"
    );
    // Usable: it can be bound and changed, and still says that its deletion failed until something else was done.
    let bound = world.bound(&made, "b").await;
    assert_eq!(
        person.instance(&made).await.expect(200)["state"],
        "delete failed"
    );
    person
        .change(&made, &json!({"parameters": {"a": 1}}))
        .await
        .expect(200);
    assert_eq!(person.instance(&made).await.expect(200)["state"], "ready");
    person.unbind(&bound).await.expect(200);
    plain(
        person.repair(&made, "undelete").await,
        422,
        "UnprocessableEntity",
        &["nobody asked to delete it"],
    );
    // Fails once more, and is kept.
    person.delete(&made).await.expect(502);
    let kept = person.repair(&made, "undelete").await.expect(200);
    assert_eq!(kept["state"], "ready");
    assert!(
        text(&kept["last_operation"], "description").contains("the broker has the instance"),
        "{kept:#}"
    );
    plain(
        person.repair(&made, "retry").await,
        422,
        "UnprocessableEntity",
        &["did not fail"],
    );
    plain(
        person.repair(&made, "rollback").await,
        422,
        "UnprocessableEntity",
        &["did not fail"],
    );
    person.delete(&made).await.expect(200);
    assert!(world.agree().await.is_empty());
}

async fn a_broker_that_breaks_over_a_deletion(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    let said = json!({"description": "the disk is on fire"});
    let broken = world.broker.on(Verb::Deprovision);
    broken.always().then(Fault::answer(500, said));
    // It may have half happened: whoever asked hears that it failed, and it is tried on.
    let answer = person.delete(&made).await;
    assert_eq!(
        answer.body["broker_error"]["Description"],
        "the disk is on fire"
    );
    let says = ["500", "tried again", "undelete"];
    plain(answer, 502, "BrokerError", &says);
    let operation = eventually("it was tried again", async || {
        let shown = person.instance(&made).await.expect(200);
        let operation = shown["last_operation"].clone();
        (operation["attempts"].as_u64() >= Some(2)).then_some(operation)
    })
    .await;
    assert_eq!(
        (&operation["type"], &operation["state"]),
        (&json!("delete"), &json!("failed"))
    );
    assert!(
        text(&operation, "first_error").contains("500"),
        "{operation:#}"
    );
    for time in ["next_attempt_at", "deadline"] {
        assert!(text(&operation, time).ends_with('Z'));
    }
    assert_eq!(
        operation["broker_error"]["Description"],
        "the disk is on fire"
    );
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(
        (&shown["state"], &shown["usable"]),
        (&json!("delete failed"), &json!(true))
    );
    assert!(text(&shown, "message").contains("undelete"), "{shown:#}");
    // While it is tried on nothing new is hung on it.
    let refused = person.bind("", &made, "b").await;
    plain(
        refused,
        422,
        "OperationInProgress",
        &["deleted", &id(&operation)],
    );
    // It is called off.
    let kept = kept(&person, &made).await;
    assert_eq!(
        (&kept["state"], &kept["usable"]),
        (&json!("ready"), &json!(true))
    );
    let ended = person
        .0
        .get(&format!("/v1/operations/{}", id(&operation)))
        .await
        .expect(200);
    assert_eq!(ended["state"], "failed");
    assert!(
        text(&ended, "description").contains("taken back"),
        "{ended:#}"
    );
    assert!(
        text(&ended, "first_error").contains("500"),
        "the first cause is kept: {ended:#}"
    );
    let calls = world.broker.calls_of(Verb::Deprovision).len();
    world.bound(&made, "b").await;
    world.agree().await;
    assert_eq!(
        world.broker.calls_of(Verb::Deprovision).len(),
        calls,
        "nobody deletes it any more"
    );
    // Another one goes on until the broker is well.
    let path = format!("{INSTANCES}/{made}?cascade=true");
    person.0.delete(&path).await.location();
    world
        .broker
        .wait_for(Verb::Deprovision, calls + 2)
        .await
        .unwrap();
    world.broker.behave();
    gone(&person, &made).await;
    assert!(world.agree().await.is_empty());
}

/// Takes a deletion back; a worker may have it just now.
async fn kept(person: &Person, id: &str) -> Value {
    eventually("it is kept", async || {
        let answer = person.repair(id, "undelete").await;
        assert!([200, 422].contains(&answer.status), "{answer:#?}");
        (answer.status == 200).then_some(answer.body)
    })
    .await
}

async fn gone(person: &Person, id: &str) {
    eventually("it is gone", async || {
        (person.instance(id).await.status == 404).then_some(())
    })
    .await;
}

async fn a_slow_deletion_that_fails(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    let failing = world.broker.on(Verb::Deprovision).always();
    failing.then(Fault::fail_work("locked by a backup"));
    let location = person.delete(&made).await.location();
    let operation = person.bad_end(&location).await;
    assert_eq!(
        operation["broker_error"]["Description"],
        "locked by a backup"
    );
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(shown["state"], "delete failed");
    // It is tried on by itself, and at once by whoever does not want to wait.
    world
        .broker
        .wait_for((Verb::Deprovision, &*made), 2)
        .await
        .unwrap();
    world.broker.behave();
    let again = person.repair(&made, "retry").await;
    assert!([202, 404, 422].contains(&again.status), "{again:#?}");
    gone(&person, &made).await;
    assert!(world.agree().await.is_empty());
}

async fn a_binding_that_cannot_be_deleted(engine: Engine) {
    let mut world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    let bound = world.bound(&made, "b").await;
    world.broker.stop().await;
    plain(person.unbind(&bound).await, 502, "BrokerError", &[]);
    let shown = person.binding(&bound).await.expect(200);
    assert_eq!(shown["last_operation"]["state"], "failed");
    assert_eq!(shown["ready"], true);
    assert_eq!(
        shown["credentials"]["username"],
        bound.as_str(),
        "they can be used"
    );
    world.broker.resume().unwrap();
    world
        .broker
        .on(Verb::Unbind)
        .times(1)
        .then(Fault::status(422));
    plain(person.unbind(&bound).await, 502, "BrokerError", &["422"]);
    person.unbind(&bound).await.expect(200);
    person.binding(&bound).await.refused(404, "NotFound");
    world.agree().await;
}

async fn undelete_asks_the_broker_what_it_has(engine: Engine) {
    let world = World::on(quick(engine)).await;
    let person = world.person();
    let made = world.made("n").await;
    // It is gone, and the broker said that it failed.
    world
        .broker
        .on(Verb::Deprovision)
        .times(1)
        .then(Fault::work_then(Fault::status(400)));
    person.delete(&made).await.expect(502);
    let refused = person.repair(&made, "undelete").await;
    plain(refused, 409, "Conflict", &["gone", "delete it"]);
    assert_eq!(
        person.instance(&made).await.expect(200)["state"],
        "delete failed"
    );
    person.delete(&made).await.expect(200);
    assert!(world.agree().await.is_empty());
}

/// The answer to the deletion is lost, and the broker is at it: what is being deleted cannot be kept.
async fn what_the_broker_deletes_unheard_is_not_kept(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    let lost = world.broker.on(Verb::Deprovision).times(1);
    lost.then(Fault::lose_answer());
    person.delete(&made).await.expect(502);
    assert_eq!(
        person.instance(&made).await.expect(200)["state"],
        "delete failed"
    );
    eventually("the broker is at it", async || {
        let known = world.broker.instances();
        (known[0].phase == Phase::Deleting).then_some(())
    })
    .await;
    let refused = person.repair(&made, "undelete").await;
    plain(
        refused,
        422,
        "UnprocessableEntity",
        &["the broker is at work"],
    );
    // Whoever deletes it again joins in.
    let location = person.delete(&made).await.location();
    person.good_end(&location).await;
    assert!(world.agree().await.is_empty());
}

async fn undelete_of_a_cascade_keeps_what_was_not_asked_for_yet(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    let bound = world.bound(&made, "b").await;
    // The broker sends the unbinding away: it stays queued, and the instance waits for it.
    let busy = Fault::answer(422, json!({"error": "ConcurrencyError"}));
    world.broker.on(Verb::Unbind).always().then(busy);
    let path = format!("{INSTANCES}/{made}?cascade=true");
    let cascade = person.0.delete(&path).await.location();
    world
        .broker
        .wait_for((Verb::Unbind, &*made), 1)
        .await
        .unwrap();
    eventually("it is taken back", async || {
        let answer = person.repair(&made, "undelete").await;
        assert!([200, 422].contains(&answer.status), "{answer:#?}");
        (answer.status == 200).then_some(())
    })
    .await;
    let ended = person.bad_end(&cascade).await;
    assert_eq!(ended["errors"]["error"], "Cancelled", "{ended:#}");
    world.broker.behave();
    world.settled().await;
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(shown["state"], "ready", "{shown:#}");
    person.binding(&bound).await.expect(200);
    assert_eq!(world.agree().await.len(), 2);
}

async fn what_was_never_made_can_only_be_deleted(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    world.broker.on(Verb::Provision).then(Fault::status(400));
    let location = person
        .create("?async=true", &world.wish("n"))
        .await
        .location();
    person.bad_end(&location).await;
    let made = super::super::world::id_in(&location);
    world.broker.on(Verb::Deprovision).then(Fault::status(400));
    person.delete(&made).await.expect(502);
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(shown["state"], "create failed", "{shown:#}");
    let words = text(&shown, "message");
    assert!(
        words.contains("It was never finished") && !words.contains("undelete"),
        "{words}"
    );
    let asked = world.asked();
    plain(
        person.repair(&made, "undelete").await,
        422,
        "UnprocessableEntity",
        &["never finished"],
    );
    for change in [json!({"parameters": {"a": 1}}), json!({"name": "m"})] {
        plain(
            person.change(&made, &change).await,
            403,
            "UpdateOperationIsNotAllowed",
            &["delete it and create it anew"],
        );
    }
    assert_eq!(world.asked(), asked, "the broker was asked");
    world.broker.behave();
    person.delete(&made).await.expect(200);
    assert!(world.agree().await.is_empty());
}
