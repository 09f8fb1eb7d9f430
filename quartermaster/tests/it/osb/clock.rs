//! The date of a running manager is set forward and back by a day while brokers work: what is under way goes on, its
//! deadline is counted in time that passes and not by the date, and work of the dead is taken up.

use super::world::{World, quick, wanted};
use crate::harness::{Engine, Setup};
use http::Method;
use qm_testkit::clock::Clock;
use qm_testkit::hostile::{Fault, SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;

on_both_engines!(
    what_the_broker_works_on_is_followed_through_all_jumps,
    a_call_outlasts_a_jump,
    work_of_the_dead_is_taken_up_whatever_the_date,
);

const DAY: i64 = 86_400;
/// Forward, right again, back, right again.
const JUMPS: [i64; 4] = [DAY, 0, -DAY, 0];

/// With a token that outlives all jumps.
fn by(clock: &Clock, engine: Engine) -> Setup {
    quick(engine)
        .clock(clock)
        .set("QM_IDENTITY_ACCESS_TOKEN_LIFETIME", "96h")
        .set("QM_BROKERS_TIMEOUT", "15s")
        .set("QM_BROKERS_HEADER_TIMEOUT", "10s")
}

async fn what_the_broker_works_on_is_followed_through_all_jumps(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    // By the date a jump of a day would be its end.
    let world = World::on(by(&clock, engine).set("QM_OPERATIONS_LONGEST", "1h")).await;
    let door = world.door();
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::state("in progress"));
    for (n, jump) in JUMPS.into_iter().enumerate() {
        let id = format!("i-{n}");
        door.provision_slowly(&id).await.expect(202);
        clock.set(jump).unwrap();
        // Two looks of the manager's own: the first may have been under way before the jump.
        let looks = (Verb::PollInstance, id.as_str());
        let seen = world.broker.wait_for(looks, 0).await.unwrap().len();
        let seen = world.broker.wait_for(looks, seen + 2).await;
        seen.unwrap_or_else(|error| panic!("after {jump}: {error}"));
    }
    for n in 0..JUMPS.len() {
        let shown = world.instance(&format!("i-{n}")).await.expect(200);
        assert_eq!(shown["last_operation"]["state"], "in progress", "{n}");
    }
    assert!(world.broker.calls_of(Verb::Deprovision).is_empty());
    clock.set(-DAY).unwrap();
    world.broker.behave();
    for n in 0..JUMPS.len() {
        assert_eq!(door.end_of(&format!("i-{n}")).await, "succeeded");
    }
    let there = world.agree().await;
    assert!(there.len() == JUMPS.len() && there.values().all(|ready| *ready));
}

async fn a_call_outlasts_a_jump(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    let world = World::on(by(&clock, engine)).await;
    world
        .broker
        .on(Verb::Provision)
        .always()
        .then(Fault::slow(1_500));
    for (n, jump) in JUMPS.into_iter().enumerate() {
        let id = format!("i-{n}");
        let asking = tokio::spawn({
            let (door, id) = (world.door(), id.clone());
            async move { door.provision(&id).await }
        });
        world.broker.wait_for(Verb::Provision, n + 1).await.unwrap();
        clock.set(jump).unwrap();
        asking.await.unwrap().expect(201);
        assert_eq!(world.instance(&id).await.expect(200)["ready"], true);
    }
    assert_eq!(world.agree().await.len(), JUMPS.len());
    let calls = world.broker.calls();
    assert!(
        calls.iter().all(|call| call.method != "DELETE"),
        "it was taken from the living"
    );
    assert_eq!(world.broker.calls_of(Verb::Provision).len(), JUMPS.len());
}

async fn work_of_the_dead_is_taken_up_whatever_the_date(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    for (before, after) in [(DAY, 0), (0, DAY), (0, -DAY)] {
        clock.set(0).unwrap();
        let setup = by(&clock, engine)
            .set("QM_BROKERS_TIMEOUT", "4s")
            .set("QM_BROKERS_HEADER_TIMEOUT", "3s");
        let mut world = World::on(setup).await;
        let door = world.door();
        door.provision("old").await.expect(201);
        clock.set(before).unwrap();
        // A creation and a deletion whose answers nobody gets, and one that the broker works on.
        door.provision_slowly("working").await.expect(202);
        for verb in [Verb::Provision, Verb::Deprovision] {
            let hangs = Fault::work_then(Fault::Hang);
            world.broker.on(verb).times(1).then(hangs);
        }
        let ids = format!("service_id={SERVICE}&plan_id={SYNC_PLAN}");
        let asking = [
            (Method::PUT, door.url("new"), wanted(SYNC_PLAN).to_string()),
            (
                Method::DELETE,
                format!("{}?{ids}", door.url("old")),
                String::new(),
            ),
        ]
        .map(|(method, path, body)| {
            let client = door.client.clone();
            tokio::spawn(async move {
                let json = [("content-type", "application/json")];
                let _ = client.try_send(method, &path, &json, body).await;
            })
        });
        world
            .broker
            .wait_for((Verb::Provision, "new"), 1)
            .await
            .unwrap();
        world
            .broker
            .wait_for((Verb::Deprovision, "old"), 1)
            .await
            .unwrap();
        world.manager.kill9();
        for asked in asking {
            asked.await.unwrap();
        }
        clock.set(after).unwrap();
        world.manager.restart().await;
        let left = world.agree().await;
        assert!(
            !left.contains_key("old"),
            "from {before} to {after}: {left:?}"
        );
    }
}
