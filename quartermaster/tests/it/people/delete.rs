//! An instance is deleted: as long as the caller waits, not with what depends on it, and with it when asked.

use super::world::{BINDINGS, INSTANCES, World, plain};
use crate::harness::Engine;
use crate::harness::answer::text;
use qm_testkit::hostile::{Fault, SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    it_is_deleted_as_long_as_the_caller_waits,
    what_has_bindings_is_not_deleted_silently,
    what_depends_on_it_goes_first_when_asked,
    the_broker_that_refuses_is_overruled_by_force,
    a_deletion_that_hangs_makes_way_for_force,
    the_same_deletion_twice_is_one,
);

async fn it_is_deleted_as_long_as_the_caller_waits(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    for (slow, query, status) in [
        (false, "", 200),
        (false, "?async=false", 200),
        (false, "?async=true", 202),
        (true, "", 202),
        (true, "?async=false", 200),
        (true, "?async=true", 202),
    ] {
        let made = match slow {
            true => world.made_slowly("n").await,
            false => world.made("n").await,
        };
        let path = format!("{INSTANCES}/{made}");
        let answer = person.0.delete(&format!("{path}{query}")).await;
        assert_eq!(answer.status, status, "{query}: {answer:#?}");
        assert_eq!(answer.body, json!({}));
        if status == 202 {
            let operation = person.good_end(&answer.location()).await;
            assert_eq!(operation["type"], "delete");
        }
        person.0.get(&path).await.refused(404, "NotFound");
        person.0.delete(&path).await.refused(404, "NotFound");
    }
    let call = &world.broker.calls_of(Verb::Deprovision)[0];
    assert_eq!(call.query_value("service_id").as_deref(), Some(SERVICE));
    assert_eq!(call.query_value("plan_id").as_deref(), Some(SYNC_PLAN));
    assert_eq!(
        call.query_value("accepts_incomplete").as_deref(),
        Some("true")
    );
    assert_eq!(call.header("x-broker-api-version"), Some("2.17"));
    // Gone at the broker already: so it is gone.
    let made = world.made("n").await;
    world.broker.forget(&made);
    person.delete(&made).await.expect(200);
    assert!(world.agree().await.is_empty());
}

async fn what_has_bindings_is_not_deleted_silently(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    let bound = world.bound(&made, "b").await;
    let before = world.asked();
    for query in ["", "?async=true", "?async=false"] {
        let answer = person.0.delete(&format!("{INSTANCES}/{made}{query}")).await;
        plain(answer, 400, "BadRequest", &[&bound, "cascade=true"]);
    }
    for wrong in ["?force=true", "?force=true&cascade=false"] {
        let answer = person.0.delete(&format!("{INSTANCES}/{made}{wrong}")).await;
        plain(answer, 400, "BadRequest", &["cascade=true"]);
        let answer = person.0.delete(&format!("{BINDINGS}/{bound}{wrong}")).await;
        plain(answer, 400, "BadRequest", &["cascade=true"]);
    }
    assert_eq!(world.asked(), before);
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(shown["state"], "ready", "a refusal changes nothing");
    person.unbind(&bound).await.expect(200);
    person.delete(&made).await.expect(200);
    assert!(world.agree().await.is_empty());
}

async fn what_depends_on_it_goes_first_when_asked(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    for slow in [false, true] {
        let made = match slow {
            true => world.made_slowly("n").await,
            false => world.made("n").await,
        };
        for name in ["a", "b", "c"] {
            person.bind("?async=false", &made, name).await.expect(201);
        }
        // Always in the background, whatever is asked.
        let path = format!("{INSTANCES}/{made}?cascade=true&async=false");
        let location = person.0.delete(&path).await.location();
        let operation = person.good_end(&location).await;
        assert_eq!(
            operation["cascade_root_id"], operation["id"],
            "{operation:#}"
        );
        assert!(world.agree().await.is_empty());
        let calls = world.broker.calls();
        let last_unbind = calls
            .iter()
            .rposition(|call| call.verb == Some(Verb::Unbind));
        let deprovision = calls.iter().position(|call| {
            call.verb == Some(Verb::Deprovision) && call.instance.as_ref() == Some(&made)
        });
        assert!(last_unbind.unwrap() < deprovision.unwrap(), "P11");
    }
    // One binding fails: the instance stays, and the errors say which.
    let made = world.made("n").await;
    let (good, bad) = (
        world.bound(&made, "good").await,
        world.bound(&made, "bad").await,
    );
    world
        .broker
        .on(Verb::Unbind)
        .for_binding(&bad)
        .times(1)
        .then(Fault::status(400));
    let path = format!("{INSTANCES}/{made}?cascade=true");
    let location = person.0.delete(&path).await.location();
    let operation = person.bad_end(&location).await;
    let errors = operation["errors"]["cascade_errors"].as_array().unwrap();
    assert_eq!(errors.len(), 1, "{operation:#}");
    assert_eq!(errors[0]["resource_id"], bad.as_str());
    assert_eq!(errors[0]["resource_type"], BINDINGS);
    assert!(text(&errors[0], "message").contains("400"), "{operation:#}");
    person.binding(&good).await.refused(404, "NotFound");
    person.binding(&bad).await.expect(200);
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(
        (&shown["usable"], &shown["ready"]),
        (&json!(true), &json!(true))
    );
    world.agree().await;
    let location = person.0.delete(&path).await.location();
    person.good_end(&location).await;
    assert!(world.agree().await.is_empty());
}

async fn the_broker_that_refuses_is_overruled_by_force(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    let bound = world.bound(&made, "b").await;
    for verb in [Verb::Unbind, Verb::Deprovision] {
        world.broker.on(verb).always().then(Fault::status(400));
    }
    let path = format!("{INSTANCES}/{made}?cascade=true&force=true");
    let location = person.0.delete(&path).await.location();
    person.good_end(&location).await;
    person.instance(&made).await.refused(404, "NotFound");
    person.binding(&bound).await.refused(404, "NotFound");
    world.settled().await;
    assert_eq!(
        world.broker.instances().len(),
        1,
        "it is still at the broker, as was said"
    );
}

async fn a_deletion_that_hangs_makes_way_for_force(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    let polled = world.broker.on(Verb::PollInstance);
    polled.always().then(Fault::state("in progress"));
    let hanging = person.delete(&made).await.location();
    let by_force = format!("{INSTANCES}/{made}?cascade=true&force=true");
    let forced = person.0.delete(&by_force).await.location();
    assert_ne!(hanging, forced);
    person.bad_end(&hanging).await;
    // Whoever asks again does not put it off.
    assert_eq!(person.0.delete(&by_force).await.location(), forced);
    world.broker.behave();
    person.good_end(&forced).await;
    assert!(world.agree().await.is_empty());
}

async fn the_same_deletion_twice_is_one(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::state("in progress"));
    let first = person.delete(&made).await.location();
    let second = person.delete(&made).await.location();
    assert_eq!(first, second);
    let path = format!("{INSTANCES}/{made}?async=false");
    let waiting = tokio::spawn({
        let person = person.clone();
        async move { person.0.delete(&path).await }
    });
    world.broker.behave();
    person.good_end(&first).await;
    // It may have come after the end.
    let status = waiting.await.unwrap().status;
    assert!([200, 404].contains(&status), "{status}");
    assert_eq!(world.broker.calls_of(Verb::Deprovision).len(), 1);
    assert!(world.agree().await.is_empty());
}
