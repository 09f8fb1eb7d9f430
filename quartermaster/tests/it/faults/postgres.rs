//! PostgreSQL that goes away in the middle of load: connections cut, server restarted, server killed. Every request
//! is answered, what was answered with success is there, and the manager goes on without a restart.

mod brokers;

use super::catalogs;
use crate::harness::brokers::{broker_with, plan_named, register};
use crate::harness::{Client, Engine, Platform, Setup, answer::id, eventually};
use crate::model_platform::ModelPlatform;
use http::Method;
use qm_testkit::postgres::{Options, Server};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::task::spawn_blocking;

const WRITERS: usize = 6;
const BROKER_WRITERS: usize = 3;

#[tokio::test]
async fn no_answer_is_lost_when_postgres_goes_away() {
    if !Engine::Postgres.is_here().await {
        return;
    }
    // A server of its own: others must not feel this.
    let options = Options {
        fsync: true,
        ..Options::default()
    };
    let server = spawn_blocking(move || Server::start(options).unwrap())
        .await
        .unwrap();
    let server = Arc::new(server);
    let database = server.database().unwrap();
    let mut manager = Setup::new(Engine::Sqlite)
        .set("QM_DATABASE_URL", &database.url())
        .set("QM_OPERATIONS_LEASE", "1s")
        .set("QM_OPERATIONS_POLL_INTERVAL", "100ms")
        .start()
        .await;
    let pid = manager.process().pid();
    let admin = manager.admin();
    let steady = broker_with(&catalogs::steady("steady", WRITERS)).await;
    let registered = register(&admin, "steady", &steady).await;
    let mut models = Vec::new();
    for kind in ["cloudfoundry", "kubernetes"] {
        let platform = Platform::register(&manager, &format!("listener-{kind}"), kind).await;
        let model = ModelPlatform::start(platform);
        model.connected().await;
        models.push(model);
    }

    let stop = Arc::new(AtomicBool::new(false));
    let mut writers = Vec::new();
    for n in 0..WRITERS {
        let plan = id(&plan_named(&admin, &registered, &format!("p{n}")).await);
        let writer = write(admin.clone(), plan, n, Arc::clone(&stop));
        writers.push(tokio::spawn(writer));
    }
    let broker_writers: Vec<_> = (0..BROKER_WRITERS)
        .map(|n| tokio::spawn(brokers::write(admin.clone(), n, Arc::clone(&stop))))
        .collect();
    for _ in 0..8 {
        tokio::time::sleep(Duration::from_millis(150)).await;
        let (server, name) = (Arc::clone(&server), database.name().to_owned());
        spawn_blocking(move || server.terminate_backends(&name).unwrap())
            .await
            .unwrap();
    }
    for crash in [false, true, false] {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let server = Arc::clone(&server);
        spawn_blocking(move || {
            if crash {
                server.kill().unwrap();
                server.start_again().unwrap();
            } else {
                server.restart().unwrap();
            }
        })
        .await
        .unwrap();
        // It serves again by itself.
        eventually("the manager serves again", async || {
            let read = admin.get("/v1/visibilities").await;
            assert!([200, 503].contains(&read.status), "{read:?}");
            (read.status == 200).then_some(())
        })
        .await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    stop.store(true, Ordering::Relaxed);
    let (mut sure, mut unsure) = (BTreeSet::new(), BTreeSet::new());
    for writer in writers {
        let (yes, maybe) = writer.await.unwrap();
        sure.extend(yes);
        unsure.extend(maybe);
    }
    let (mut said, mut hosts) = (BTreeMap::new(), Vec::new());
    for writer in broker_writers {
        let (mut more, host) = writer.await.unwrap();
        said.append(&mut more);
        hosts.push(host);
    }
    brokers::ended(&admin).await;
    assert_eq!(manager.process().pid(), pid, "it was restarted");
    println!(
        "{} deeds answered, {} refused for now",
        sure.len(),
        unsure.len()
    );
    assert!(sure.len() > WRITERS, "the load was none");
    assert!(!unsure.is_empty(), "the fault fell into nothing");

    let shown = all_ids(&admin).await;
    let lost: Vec<_> = sure.difference(&shown).collect();
    assert!(lost.is_empty(), "answered and not there: {lost:?}");
    let more: Vec<_> = shown
        .iter()
        .filter(|id| !sure.contains(*id) && !unsure.contains(*id))
        .collect();
    assert!(more.is_empty(), "there and never asked for: {more:?}");
    let deeds = said.len();
    let answered = brokers::check(&admin, said).await;
    println!("{answered} of {deeds} brokers are surely there or gone");
    assert!(
        answered >= BROKER_WRITERS && answered < deeds,
        "{answered} of {deeds}"
    );
    for model in &models {
        model.agrees("after everything").await;
    }
}

/// Makes platforms and changes one visibility, again and again: the ids that were answered with success, and those
/// of which it was said that the store is away.
async fn write(
    admin: Client,
    plan: String,
    n: usize,
    stop: Arc<AtomicBool>,
) -> (Vec<String>, Vec<String>) {
    let (mut sure, mut unsure) = (Vec::new(), Vec::new());
    let headers = [("content-type", "application/json")];
    for turn in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let name = format!("p-{n}-{turn}");
        let body = json!({"id": name, "name": name, "type": "cloudfoundry"});
        let made = admin
            .try_send(Method::POST, "/v1/platforms", &headers, body.to_string())
            .await
            .expect("a request that is not answered at all");
        match made.status {
            201 => sure.push(name),
            503 => unsure.push(name),
            _ => panic!("{made:?}"),
        }
        // And something that platforms hear of.
        let visibility = format!("v-{n}-{turn}");
        let body = json!({"id": visibility, "service_plan_id": plan});
        let shown = admin.post("/v1/visibilities", &body).await;
        // One whose removal was not sure may be in the way.
        assert!([201, 409, 503].contains(&shown.status), "{shown:?}");
        let criterion = format!("service_plan_id eq '{plan}'");
        let path = crate::harness::query("/v1/visibilities", &[("fieldQuery", &criterion)]);
        let gone = admin.delete(&path).await;
        assert!([200, 404, 503].contains(&gone.status), "{gone:?}");
    }
    (sure, unsure)
}

async fn all_ids(admin: &Client) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut token = String::new();
    loop {
        let mut parameters = vec![
            ("max_items", "200"),
            ("fieldQuery", "type eq 'cloudfoundry'"),
        ];
        if !token.is_empty() {
            parameters.push(("token", &token));
        }
        let page = admin
            .get(&crate::harness::query("/v1/platforms", &parameters))
            .await
            .expect(200);
        let names = crate::harness::answer::fields(&page, "id");
        ids.extend(names.into_iter().filter(|id| id.starts_with("p-")));
        match page["token"].as_str() {
            Some(next) if !next.is_empty() => token = next.to_owned(),
            _ => return ids,
        }
    }
}
