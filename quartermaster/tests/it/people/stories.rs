//! The failure stories of users of such stacks, and what happens here instead. One test per story that concerns the
//! manager, named after it; a story that another test tells whole is named here with that test.
//!
//! - A failed update mitigated, a live instance deleted; a stuck update treated as something to delete:
//!   `people::mitigation::never_after_an_update`, `people::model::whatever_happens`.
//! - A failed create never deprovisioned: `people::mitigation::after_a_creation_that_failed`.
//! - Names that a retry found taken: `people::names`.
//! - A broker that hangs takes nothing from the others: `osb::hostile::who_hangs_takes_nothing_from_the_others`.
//! - A short loss of the database: `people::kill::load::postgres_goes_away_and_nothing_is_in_between`.
//! - A proxy that reconnects and misses changes: `registry::notifications`, `faults::slow_reader`.
//! - Passwords in logs and rows: `people::secrets`, `osb::secrets`, `canary`.
//! - A clean-up with an age that wipes the table: `config`.
//! - The key of the database cannot be changed: `cli` (`keys rotate`).

use super::world::{BINDINGS, INSTANCES, World, id_in, plain, quick};
use crate::harness::answer::{id, items, text};
use crate::harness::{Engine, eventually, query};
use futures_util::future::join_all;
use qm_testkit::clock::Clock;
use qm_testkit::hostile::{Fault, Phase};
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    a_failed_update_deletes_nothing,
    a_broker_that_answers_500_about_what_is_there_loses_nothing,
    a_deletion_is_believed_when_the_broker_says_gone,
    a_failed_create_is_deprovisioned_until_it_is_gone,
    a_binding_is_recorded_until_the_backend_let_it_go,
    a_retry_under_the_same_name_leaves_no_second_one,
    a_stuck_deletion_is_retried_gently,
    a_hundred_instances_at_once_need_few_calls,
    a_hanging_broker_starves_nobody,
    a_restart_does_not_leave_operations_in_progress,
    a_clean_up_runs_although_the_server_restarts_often,
    a_broker_with_live_instances_is_not_deregistered,
    forgetting_by_force_works_without_the_broker,
    unreachable_is_not_gone,
    an_upgrade_deletes_nothing,
    one_broker_that_breaks_breaks_no_list,
);

/// cloud_controller_ng#1690, capi-release#174, service-manager#497.
async fn a_failed_update_deletes_nothing(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    let bound = id(&person.bind("?async=false", &made, "b").await.expect(201));
    for fault in [
        Fault::fail_work("no"),
        Fault::status(500),
        Fault::Hang,
        Fault::lose_answer(),
    ] {
        world.broker.on(Verb::Update).times(1).then(fault);
        let path = format!("{INSTANCES}/{made}?async=true");
        let location = person
            .0
            .patch(&path, &json!({"parameters": {"a": 1}}))
            .await
            .location();
        person.end(&location).await;
        world.settled().await;
    }
    assert!(
        world
            .broker
            .calls()
            .iter()
            .all(|call| call.method != "DELETE")
    );
    assert_eq!(person.binding(&bound).await.expect(200)["ready"], true);
    world.agree().await;
}

/// service-catalog#2242: what is there is not made again and not mitigated.
async fn a_broker_that_answers_500_about_what_is_there_loses_nothing(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    for verb in [Verb::FetchInstance, Verb::Update, Verb::Bind] {
        world.broker.on(verb).times(2).then(Fault::status(500));
    }
    for _ in 0..2 {
        person
            .0
            .get(&format!("{INSTANCES}/{made}/parameters"))
            .await
            .expect(502);
        person
            .change(&made, &json!({"parameters": {"a": 1}}))
            .await
            .expect(502);
        person.bind("", &made, "b").await.expect(502);
    }
    world.settled().await;
    assert!(world.broker.calls_of(Verb::Deprovision).is_empty());
    assert_eq!(world.agree().await, [made]);
}

/// service-fabrik-broker#667, service-catalog#1437 #1474.
async fn a_deletion_is_believed_when_the_broker_says_gone(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    world
        .broker
        .on(Verb::PollInstance)
        .times(3)
        .then(Fault::Cycle {
            faults: vec![
                Fault::status(500),
                Fault::NotJson,
                Fault::state("in progress"),
            ],
        });
    let location = person.delete(&made).await.location();
    // The record is there as long as the broker works.
    let mut seen = 0;
    eventually("it is gone", async || {
        let there = person.instance(&made).await.status == 200;
        let broker = world
            .broker
            .instances()
            .iter()
            .any(|known| known.id == made);
        assert!(there || !broker, "the record went before the thing");
        seen += usize::from(there);
        (!there).then_some(())
    })
    .await;
    person.good_end(&location).await;
    assert!(world.agree().await.is_empty());
}

/// service-catalog#1461.
async fn a_failed_create_is_deprovisioned_until_it_is_gone(engine: Engine) {
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
        .times(3)
        .then(Fault::status(500));
    let location = person
        .create("?async=true", &world.wish("n"))
        .await
        .location();
    let operation = person.bad_end(&location).await;
    assert!(
        text(&operation, "description").contains("deleted"),
        "{operation:#}"
    );
    // It is shown while it goes on.
    let shown = person.instance(&id_in(&location)).await.expect(200);
    assert_eq!(shown["state"], "create failed");
    world.settled().await;
    assert!(world.broker.calls_of(Verb::Deprovision).len() >= 4);
    assert!(world.broker.instances().is_empty());
}

/// sap-btp-service-operator#366 #458: seen at 200 in parallel.
async fn a_binding_is_recorded_until_the_backend_let_it_go(engine: Engine) {
    const MANY: usize = 60;
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    let mut bound = Vec::new();
    for n in 0..MANY {
        bound.push(world.bound(&made, &format!("b{n}")).await);
    }
    world.broker.on(Verb::Unbind).times(20).then(Fault::Cycle {
        faults: vec![Fault::status(500), Fault::lose_answer(), Fault::status(400)],
    });
    let deleting = bound.iter().map(async |binding| {
        let answer = person.unbind(binding).await;
        if answer.status == 202 {
            person.end(&answer.location()).await;
        }
    });
    join_all(deleting).await;
    // Nothing that the backend has is forgotten.
    world.settled().await;
    let recorded = world.recorded().await;
    for thing in world.existing().keys() {
        assert!(
            recorded.contains_key(thing),
            "{thing} is at the broker and not recorded"
        );
    }
    assert!(recorded.len() > 1, "some were refused");
    // The parent says what is in its way, and what helps.
    let refused = person.delete(&made).await;
    plain(refused, 400, "BadRequest", &["cascade=true"]);
    let location = person
        .0
        .delete(&format!("{INSTANCES}/{made}?cascade=true"))
        .await
        .location();
    person.good_end(&location).await;
    assert!(world.agree().await.is_empty());
}

/// sap-btp-service-operator#219 #588, crossplane-provider-btp#413 #425.
async fn a_retry_under_the_same_name_leaves_no_second_one(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    world
        .broker
        .on(Verb::Bind)
        .times(1)
        .then(Fault::lose_answer());
    person.bind("", &made, "b").await.expect(502);
    // The client tries again, at once, under the same name.
    let bound = world.bound(&made, "b").await;
    let left = world.agree().await;
    assert!(left.len() == 2 && left.contains(&bound), "{left:?}");
    // Whose answer was lost on the way to the client finds its own by its name.
    let criterion = format!("name eq 'b' and service_instance_id eq '{made}'");
    let path = query(BINDINGS, &[("fieldQuery", &criterion)]);
    let found = items(&person.0.get(&path).await.expect(200));
    assert_eq!(found.len(), 1);
    assert_eq!(id(&found[0]), bound);
}

/// sap-btp-service-operator#190: 10 to 50 retries per second.
async fn a_stuck_deletion_is_retried_gently(engine: Engine) {
    let setup = quick(engine)
        .set("QM_OPERATIONS_SLOWEST_POLL", "1m")
        .set("QM_OPERATIONS_RETRY_INTERVAL", "200ms");
    let world = World::on(setup).await;
    let person = world.person();
    let made = world.made("n").await;
    world
        .broker
        .on(Verb::Deprovision)
        .always()
        .then(Fault::status(500));
    person.delete(&made).await.expect(502);
    let calls = world.broker.wait_for(Verb::Deprovision, 5).await.unwrap();
    let gaps: Vec<u128> = calls
        .windows(2)
        .map(|pair| pair[1].millis - pair[0].millis)
        .collect();
    // Each pause is longer than half the doubled one before, whatever is added at random.
    assert!(gaps[3] > gaps[0] * 2, "{gaps:?}");
    let shown = person.instance(&made).await.expect(200);
    let operation = &shown["last_operation"];
    assert!(!operation["next_attempt_at"].is_null(), "{operation:#}");
    // Whoever does not want to wait for the next turn asks again.
    world.broker.behave();
    let answer = person.delete(&made).await;
    assert!([200, 202, 404].contains(&answer.status), "{answer:#?}");
    world.settled().await;
    person.instance(&made).await.refused(404, "NotFound");
}

/// sap-btp-service-operator#428: 3 of 100 were created before the limit bit.
async fn a_hundred_instances_at_once_need_few_calls(engine: Engine) {
    const MANY: usize = 100;
    let world = World::start(engine).await;
    let before = world.asked();
    let making = (0..MANY).map(async |n| {
        let (person, wish) = (world.person(), world.wish(&format!("n{n}")));
        let location = person.create("?async=true", &wish).await.location();
        person.good_end(&location).await;
    });
    join_all(making).await;
    assert_eq!(world.asked() - before, MANY, "one call each");
    assert_eq!(world.agree().await.len(), MANY);
}

/// cloud_controller_ng#474.
async fn a_hanging_broker_starves_nobody(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let admin = world.manager.admin();
    let good = crate::harness::brokers::broker().await;
    let registered = crate::harness::brokers::register(&admin, "good", &good).await;
    let plan = id(&crate::harness::brokers::plan_named(&admin, &registered, "sync").await);
    world.broker.on(Verb::Provision).always().then(Fault::Hang);
    let mut locations = Vec::new();
    for n in 0..100 {
        let wish = world.wish(&format!("bad{n}"));
        locations.push(person.create("?async=true", &wish).await.location());
    }
    for n in 0..5 {
        let wish = json!({"name": format!("good{n}"), "service_plan_id": plan});
        person.create("", &wish).await.expect(201);
    }
    world.broker.behave();
    for location in locations {
        person.end(&location).await;
    }
    world.settled().await;
    assert_eq!(good.instances().len(), 5);
}

/// cloud_controller_ng#5011 #5367, cloud-service-broker#980.
async fn a_restart_does_not_leave_operations_in_progress(engine: Engine) {
    let mut world = World::start(engine).await;
    let person = world.person();
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::state("in progress"));
    let mut locations = Vec::new();
    for n in 0..10 {
        let wish = world.slow_wish(&format!("n{n}"));
        locations.push(person.create("", &wish).await.location());
    }
    world.manager.restart().await;
    let shown = person.0.get(&locations[0]).await.expect(200);
    assert_eq!(shown["state"], "in progress");
    world.broker.behave();
    for location in &locations {
        person.good_end(location).await;
    }
    assert_eq!(world.agree().await.len(), 10);
}

/// service-manager#411: the clean-up never ran because the server restarted too often.
async fn a_clean_up_runs_although_the_server_restarts_often(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    let setup = quick(engine)
        .clock(&clock)
        .set("QM_IDENTITY_ACCESS_TOKEN_LIFETIME", "96h")
        .set("QM_OPERATIONS_LIFESPAN", "1h")
        .set("QM_OPERATIONS_CLEANUP_INTERVAL", "24h");
    let mut world = World::on(setup).await;
    let person = world.person();
    let made = world.made("n").await;
    for n in 0..3 {
        let labels = json!({"labels": [{"op": "add", "key": format!("k{n}"), "values": ["v"]}]});
        person.change(&made, &labels).await.expect(200);
    }
    let mine = format!("resource_id eq '{made}'");
    let path = query("/v1/operations", &[("fieldQuery", &mine)]);
    assert_eq!(person.0.get(&path).await.expect(200)["num_items"], 4);
    // It runs at every start.
    clock.set(7_200).unwrap();
    world.manager.restart().await;
    eventually("only the last one is left", async || {
        let left = person.0.get(&path).await.expect(200);
        (left["num_items"] == 1).then_some(())
    })
    .await;
    // Never the last one of what lives.
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(shown["last_operation"]["type"], "update");
}

/// cf-redis-release#28, crossplane#4251.
async fn a_broker_with_live_instances_is_not_deregistered(engine: Engine) {
    let world = World::start(engine).await;
    let made = world.made("n").await;
    let path = format!("/v1/service_brokers/{}", world.broker_id);
    let refused = world.manager.admin().delete(&path).await;
    plain(refused, 409, "ExistingReferenceEntity", &["instance"]);
    world.person().instance(&made).await.expect(200);
    world.person().delete(&made).await.expect(200);
    world.manager.admin().delete(&path).await.expect(200);
}

/// cli#690: a purge that called the broker and failed.
async fn forgetting_by_force_works_without_the_broker(engine: Engine) {
    // Who could not be asked has not said no, so it is tried until then.
    let setup = quick(engine).set("QM_OPERATIONS_FORCE_DEADLINE", "2s");
    let mut world = World::on(setup).await;
    let person = world.person();
    let made = world.made("n").await;
    world.bound(&made, "b").await;
    world.broker.stop().await;
    let path = format!("{INSTANCES}/{made}?cascade=true&force=true");
    let location = person.0.delete(&path).await.location();
    person.good_end(&location).await;
    person.instance(&made).await.refused(404, "NotFound");
    assert!(items(&person.0.get(BINDINGS).await.expect(200)).is_empty());
}

/// crossplane#6878.
async fn unreachable_is_not_gone(engine: Engine) {
    let mut world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    let bound = world.bound(&made, "b").await;
    world.broker.stop().await;
    person.unbind(&bound).await.expect(502);
    let location = person
        .0
        .delete(&format!("{INSTANCES}/{made}?cascade=true"))
        .await
        .location();
    person.bad_end(&location).await;
    person.instance(&made).await.expect(200);
    person.binding(&bound).await.expect(200);
    world.broker.resume().unwrap();
    assert_eq!(world.agree().await.len(), 2);
}

/// sap-btp-service-operator#235 #627: nothing is done to what is there because a process starts.
async fn an_upgrade_deletes_nothing(engine: Engine) {
    let mut world = World::start(engine).await;
    let made = world.made("n").await;
    let slow = world.made_slowly("m").await;
    world.bound(&made, "b").await;
    world.bound_slowly(&slow, "b").await;
    let before = world.asked();
    for _ in 0..3 {
        world.manager.restart().await;
        assert_eq!(world.agree().await.len(), 4);
    }
    let calls = world.broker.calls();
    let sent: Vec<_> = calls[before..]
        .iter()
        .filter(|call| call.method != "GET")
        .collect();
    assert!(sent.is_empty(), "{sent:?}");
    assert!(
        world
            .broker
            .instances()
            .iter()
            .all(|known| known.phase == Phase::Ready)
    );
}

/// platform-mesh#313: one provider's trouble is not everybody's.
async fn one_broker_that_breaks_breaks_no_list(engine: Engine) {
    let mut world = World::start(engine).await;
    let made = world.made("n").await;
    world.bound(&made, "b").await;
    world.broker.stop().await;
    for path in [
        INSTANCES,
        BINDINGS,
        "/v1/operations",
        "/v1/service_offerings",
        "/v1/service_plans",
    ] {
        let page = world.person().0.get(path).await.expect(200);
        assert!(!items(&page).is_empty(), "{path}");
    }
    world.person().instance(&made).await.expect(200);
}
