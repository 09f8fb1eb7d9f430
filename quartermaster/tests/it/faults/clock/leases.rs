//! Who works on what: leases hold and end whatever the date is, in one process and among replicas whose clocks differ.

use super::{Clock, DAY, TAKES_UP, long_lived, watchful};
use crate::faults::catalogs;
use crate::harness::brokers::{broker_with, register, registration};
use crate::harness::{Client, Engine, answer::id, eventually};
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    a_deed_outlasts_its_lease_and_a_jump,
    work_of_the_dead_is_taken_up_whatever_the_date,
);

/// Longer than several leases.
const LONG: u64 = 6_000;

async fn a_deed_outlasts_its_lease_and_a_jump(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    let manager = long_lived(watchful(engine, &clock)).start().await;
    let admin = manager.admin();
    let host = broker_with(&catalogs::steady("slow", 2)).await;
    host.on(Verb::Catalog).nth(1).then(Fault::slow(LONG));
    let registering = tokio::spawn({
        let (admin, body) = (admin.clone(), registration("slow", &host));
        async move { admin.post("/v1/service_brokers", &body).await }
    });
    host.wait_for(Verb::Catalog, 1).await.unwrap();
    clock.set(DAY).unwrap();
    let made = registering.await.unwrap().expect(201);

    host.on(Verb::Catalog).nth(2).then(Fault::slow(LONG));
    let path = format!("/v1/service_brokers/{}", id(&made));
    let changing = tokio::spawn({
        let (admin, path) = (admin.clone(), path.clone());
        async move { admin.patch(&path, &json!({"description": "changed"})).await }
    });
    host.wait_for(Verb::Catalog, 2).await.unwrap();
    clock.set(-DAY).unwrap();
    changing.await.unwrap().expect(200);
    assert_eq!(admin.get(&path).await.expect(200)["description"], "changed");
    let output = manager.output();
    assert!(
        !output.contains(TAKES_UP),
        "it was taken from the living:\n{output}"
    );
    assert_eq!(host.calls_of(Verb::Catalog).len(), 2);
}

async fn work_of_the_dead_is_taken_up_whatever_the_date(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    for (n, (before, after)) in [(DAY, 0), (0, DAY), (0, -DAY)].into_iter().enumerate() {
        let name = format!("broker-{n}");
        clock.set(0).unwrap();
        let mut manager = long_lived(watchful(engine, &clock)).start().await;
        let admin = manager.admin();
        let host = broker_with(&catalogs::steady("slow", 2)).await;
        host.on(Verb::Catalog).nth(1).then(Fault::slow(600_000));
        clock.set(before).unwrap();
        let body = registration(&name, &host);
        let accepted = admin.post("/v1/service_brokers?async=true", &body).await;
        let operation = accepted.location();
        host.wait_for(Verb::Catalog, 1).await.unwrap();
        manager.kill9();
        clock.set(after).unwrap();
        manager.restart().await;
        let found = ended(&admin, &operation).await;
        // A manager that is alone cannot know that it was not away for a day: the deadline has passed. Replicas ask
        // the database, whose clock did not jump.
        let given_up = engine == Engine::Sqlite && after > before;
        let wanted = if given_up { "failed" } else { "succeeded" };
        assert_eq!(found["state"], wanted, "from {before} to {after}: {found}");
        let path = operation.split("/operations").next().unwrap();
        assert_eq!(admin.get(path).await.expect(200)["ready"], !given_up);
        // Nothing is in the way of what comes next.
        admin.patch(path, &json!({})).await.expect(200);
        register(&admin, "another", &host).await;
    }
}

async fn ended(admin: &Client, operation: &str) -> Value {
    eventually("the operation has ended", async || {
        let found = admin.get(operation).await.expect(200);
        let state = found["state"].as_str().unwrap().to_owned();
        (state == "succeeded" || state == "failed").then_some(found)
    })
    .await
}

/// A replica whose clock is a day fast and one whose clock is a day slow: neither takes work from one that lives and
/// only is slow, and each takes over from one that died.
#[tokio::test]
async fn replicas_with_wrong_clocks_share_the_work() {
    if !Engine::Postgres.is_here().await {
        return;
    }
    let clocks = [Clock::new(), Clock::new(), Clock::new()];
    let [Some(right), Some(fast), Some(slow)] = clocks else {
        return;
    };
    fast.set(DAY).unwrap();
    slow.set(-DAY).unwrap();
    let first = long_lived(watchful(Engine::Postgres, &right)).start().await;
    let file = |clock: &Clock| {
        let environment = clock.environment();
        let found = environment.iter().find(|(name, _)| name.contains("FILE"));
        found.unwrap().1.to_str().unwrap().to_owned()
    };
    let wrong = |clock: &Clock| [("FAKETIME_TIMESTAMP_FILE", file(clock))];
    let mut replicas = vec![first];
    for clock in [&fast, &slow] {
        let [(name, value)] = wrong(clock);
        replicas.push(replicas[0].replica_with(&[(name, &value)]).await);
    }

    // Each does something that outlasts its lease, while the others look for work all the time.
    let mut hosts = Vec::new();
    let mut working = Vec::new();
    for (n, replica) in replicas.iter().enumerate() {
        let host = broker_with(&catalogs::steady(&format!("b{n}"), 2)).await;
        host.on(Verb::Catalog).nth(1).then(Fault::slow(LONG));
        let (admin, body) = (replica.admin(), registration(&format!("long-{n}"), &host));
        working.push(tokio::spawn(async move {
            admin.post("/v1/service_brokers", &body).await
        }));
        hosts.push(host);
    }
    for work in working {
        work.await.unwrap().expect(201);
    }
    for (n, host) in hosts.iter().enumerate() {
        assert_eq!(
            host.calls_of(Verb::Catalog).len(),
            1,
            "broker {n} was asked by one"
        );
    }
    for replica in &replicas {
        let output = replica.output();
        assert!(
            !output.contains(TAKES_UP),
            "it was taken from the living:\n{output}"
        );
    }

    // One after the other dies in the middle of a deed, the one with the right clock last.
    let mut left = Vec::new();
    while replicas.len() > 1 {
        let mut dying = replicas.pop().unwrap();
        let n = replicas.len();
        let host = broker_with(&catalogs::steady(&format!("d{n}"), 2)).await;
        host.on(Verb::Catalog).nth(1).then(Fault::slow(600_000));
        let body = registration(&format!("left-{n}"), &host);
        let accepted = dying
            .admin()
            .post("/v1/service_brokers?async=true", &body)
            .await;
        let operation = accepted.location();
        host.wait_for(Verb::Catalog, 1).await.unwrap();
        dying.kill9();
        let admin = replicas[0].admin();
        assert_eq!(ended(&admin, &operation).await["state"], "succeeded");
        assert_eq!(
            host.calls_of(Verb::Catalog).len(),
            2,
            "the lost call and one more"
        );
        left.push(host);
    }
}
