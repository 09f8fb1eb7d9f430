//! Two managers on one PostgreSQL; one dies. Its platforms go on at the other from their revision, and what it had
//! begun is finished there.

use super::catalogs;
use crate::harness::brokers::{broker, broker_with, plan_named, register, registration};
use crate::harness::{Client, Engine, Manager, Platform, Setup, answer::id, eventually};
use crate::model_platform::ModelPlatform;
use http::Method;
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn a_replica_dies_and_nothing_is_missed() {
    if !Engine::Postgres.is_here().await {
        return;
    }
    let mut first = Setup::new(Engine::Postgres)
        .set("QM_OPERATIONS_LEASE", "6s")
        .set("QM_OPERATIONS_POLL_INTERVAL", "200ms")
        // However slow the machine is, nobody is cut for being behind while it moves over.
        .set("QM_NOTIFICATIONS_QUEUE", "5000")
        .start()
        .await;
    let second = first.replica().await;
    let admin = second.admin();
    // Most platforms at the one that will die, one at the other; of both kinds, with and without a tenant.
    let mut models = Vec::new();
    let platforms = [
        (&first, "cloudfoundry", json!({})),
        (&first, "kubernetes", json!({"tenant": ["red"]})),
        (&first, "cloudfoundry", json!({"tenant": ["blue"]})),
        (&second, "kubernetes", json!({})),
    ];
    for (n, (at, kind, labels)) in platforms.into_iter().enumerate() {
        let body = json!({"name": format!("platform-{n}"), "type": kind, "labels": labels});
        let mut platform = Platform::register_as(&first, &body).await;
        platform.url = at.url();
        models.push(ModelPlatform::start(platform));
    }
    for model in &models {
        model.connected().await;
    }
    // They hear of the broker, whose plans come and go then.
    let steady = broker_with(&catalogs::steady("steady", 4)).await;
    let registered = register(&admin, "steady", &steady).await;
    let mut plans = Vec::new();
    for n in 0..4 {
        plans.push(id(&plan_named(&admin, &registered, &format!("p{n}")).await));
    }
    for model in &models {
        model.agrees("at first").await;
    }

    // Both change the registry, and tell each other's platforms.
    let writers = [
        tokio::spawn(toggle(first.admin(), plans[..2].to_vec(), "first")),
        tokio::spawn(toggle(second.admin(), plans[2..].to_vec(), "second")),
    ];
    let roaming = tokio::spawn(roam(second.admin()));
    // A deed in flight: the broker is slow to tell its catalog, once.
    let slow = broker_with(&catalogs::steady("slow", 2)).await;
    slow.on(Verb::Catalog).nth(1).then(Fault::slow(600_000));
    let body = registration("slow", &slow);
    let accepted = first
        .admin()
        .post("/v1/service_brokers?async=true", &body)
        .await;
    let operation = accepted.location();
    slow.wait_for(Verb::Catalog, 1).await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;

    first.kill9();
    for model in &models {
        model.move_to(&second.url());
    }
    let [ended, going] = writers;
    let deeds = ended.await.unwrap();
    assert!(deeds > 0, "the load was none");

    let state = eventually("the deed of the dead one has ended", async || {
        let found = admin.get(&operation).await.expect(200);
        let state = found["state"].as_str().unwrap().to_owned();
        (state != "in progress" && state != "pending").then_some((state, found))
    })
    .await;
    assert_eq!(state.0, "succeeded", "{}", state.1);
    let ready = admin
        .get(operation.split("/operations").next().unwrap())
        .await;
    assert_eq!(ready.expect(200)["ready"], true);

    // The other goes on all the while; then it is stopped to compare.
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(
        !going.is_finished() && !roaming.is_finished(),
        "the living replica stopped answering"
    );
    for writer in [going, roaming] {
        writer.abort();
        let _ = writer.await;
    }
    for (n, model) in models.iter().enumerate() {
        model.agrees(&format!("platform {n} after the move")).await;
        assert_eq!(
            model.resyncs(),
            1,
            "platform {n} had to read everything anew"
        );
        assert!(model.applied() > 0);
    }
}

/// Makes plans public and takes that back, until the manager is gone; how often it was answered.
async fn toggle(admin: Client, plans: Vec<String>, name: &str) -> usize {
    let headers = [("content-type", "application/json")];
    for n in 0.. {
        let plan = &plans[n % plans.len()];
        let id = format!("{name}-{n}");
        let body = json!({"id": id, "service_plan_id": plan, "labels": {"n": [n.to_string()]}});
        let made = admin
            .try_send(Method::POST, "/v1/visibilities", &headers, body.to_string())
            .await;
        match made {
            Ok(answer) => drop(answer.expect(201)),
            Err(_) => return n,
        }
        let path = format!("/v1/visibilities/{id}");
        match admin.try_send(Method::DELETE, &path, &[], "").await {
            Ok(answer) => drop(answer.expect(200)),
            Err(_) => return n,
        }
    }
    0
}

/// Registers a broker and lets it go from tenant to tenant and from one kind of platform to the other, for ever.
async fn roam(admin: Client) -> usize {
    let host = broker().await;
    host.set_catalog(catalogs::catalog("roamer", 0));
    let body = registration("roamer", &host);
    let made = admin.post("/v1/service_brokers", &body).await.expect(201);
    let path = format!("/v1/service_brokers/{}", id(&made));
    for version in 1.. {
        host.set_catalog(catalogs::catalog("roamer", version));
        let mut lines = Vec::new();
        if admin.get(&path).await.expect(200)["labels"]
            .get("tenant")
            .is_some()
        {
            lines.push(json!({"op": "remove", "key": "tenant"}));
        }
        let next = [None, Some("red"), Some("blue")][usize::try_from(version % 3).unwrap()];
        if let Some(next) = next {
            lines.push(json!({"op": "add", "key": "tenant", "values": [next]}));
        }
        let change = json!({"description": version.to_string(), "labels": lines});
        let changed = admin.patch(&path, &change).await;
        // Where many write at once, one may be told to try again; until it is known what became of that, to wait.
        assert!([200, 422, 503].contains(&changed.status), "{changed:?}");
    }
    0
}

/// A deed that outlasts its lease several times stays with the replica that does it.
#[tokio::test]
async fn what_lasts_is_not_taken_from_the_living() {
    if !Engine::Postgres.is_here().await {
        return;
    }
    let first = Setup::new(Engine::Postgres)
        .set("QM_OPERATIONS_LEASE", "2s")
        .set("QM_OPERATIONS_POLL_INTERVAL", "50ms")
        .start()
        .await;
    let second = first.replica().await;
    let slow = broker_with(&catalogs::steady("slow", 2)).await;
    slow.on(Verb::Catalog).nth(1).then(Fault::slow(6_000));
    let body = registration("slow", &slow);
    let made = first
        .admin()
        .post("/v1/service_brokers", &body)
        .await
        .expect(201);
    assert_eq!(
        slow.calls_of(Verb::Catalog).len(),
        1,
        "one replica asked it once"
    );
    slow.on(Verb::Catalog).nth(2).then(Fault::slow(6_000));
    let path = format!("/v1/service_brokers/{}", id(&made));
    let change = json!({"description": "changed"});
    first.admin().patch(&path, &change).await.expect(200);
    assert_eq!(slow.calls_of(Verb::Catalog).len(), 2);
    let shown = second.admin().get(&path).await.expect(200);
    assert_eq!(
        (&shown["ready"], &shown["description"]),
        (&json!(true), &json!("changed"))
    );
}

/// Work of a dead replica is not done twice by the living ones.
#[tokio::test]
async fn what_is_left_behind_is_taken_up_once() {
    if !Engine::Postgres.is_here().await {
        return;
    }
    let mut first = Setup::new(Engine::Postgres)
        .set("QM_OPERATIONS_LEASE", "3s")
        .set("QM_OPERATIONS_POLL_INTERVAL", "50ms")
        .start()
        .await;
    let others: [Manager; 2] = [first.replica().await, first.replica().await];
    let slow = broker_with(&catalogs::steady("slow", 2)).await;
    slow.on(Verb::Catalog).nth(1).then(Fault::slow(600_000));
    let platform = Platform::register(&first, "listener", "cloudfoundry").await;
    let mut socket = Platform {
        url: others[0].url(),
        ..platform
    }
    .connect(None)
    .await;
    let accepted = first
        .admin()
        .post(
            "/v1/service_brokers?async=true",
            &registration("slow", &slow),
        )
        .await;
    let operation = accepted.location();
    slow.wait_for(Verb::Catalog, 1).await.unwrap();
    first.kill9();
    let admin = others[0].admin();
    eventually("it has succeeded", async || {
        let found = admin.get(&operation).await.expect(200);
        (found["state"] == "succeeded").then_some(())
    })
    .await;
    // One CREATED, and a change afterwards comes next: there is no second one.
    let told = socket.next().await;
    assert_eq!(
        (&told["type"], &told["resource"]),
        (&json!("CREATED"), &json!("/v1/service_brokers"))
    );
    let path = operation.split("/operations").next().unwrap();
    admin
        .patch(path, &json!({"description": "later"}))
        .await
        .expect(200);
    assert_eq!(socket.next().await["type"], "MODIFIED");
    assert_eq!(
        slow.calls_of(Verb::Catalog).len(),
        3,
        "the lost call, the one that took it up, the change"
    );
}
