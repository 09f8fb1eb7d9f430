//! Jumps under load: callers register, change, show and remove brokers that are slow to tell their catalogs, while
//! platforms listen. Nobody is told of an error, nothing is done twice, nothing is missed.

use super::{Clock, JUMPS, TAKES_UP, all_ended, long_lived, watchful};
use crate::faults::catalogs;
use crate::harness::brokers::{broker_with, plan_named, registration, show};
use crate::harness::{Client, Engine, Manager, Platform, answer::id};
use crate::model_platform::ModelPlatform;
use qm_testkit::hostile::{Fault, HostileBroker};
use quartermaster_osb::Verb;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

on_both_engines!(nothing_is_lost_or_done_twice);

const WRITERS: usize = 4;
/// Deeds between two jumps.
const BETWEEN: usize = 16;

async fn nothing_is_lost_or_done_twice(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    // A lease that a slow machine does not lose, and that is over a day later all the same.
    let manager = long_lived(watchful(engine, &clock))
        .set("QM_OPERATIONS_LEASE", "30s")
        .start()
        .await;
    let admin = manager.admin();
    let mut models = Vec::new();
    for (name, kind) in [("cf", "cloudfoundry"), ("k8s", "kubernetes")] {
        let platform = Platform::register(&manager, name, kind).await;
        models.push(ModelPlatform::start(platform));
    }
    for model in &models {
        model.connected().await;
    }

    let (done, stop) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let mut writers = Vec::new();
    for n in 0..WRITERS {
        let host = broker_with(&catalogs::steady(&format!("w{n}"), 2)).await;
        host.on(Verb::Catalog).always().then(Fault::slow(150));
        let writer = write(admin.clone(), n, host, Arc::clone(&done), Arc::clone(&stop));
        writers.push(tokio::spawn(writer));
    }
    for jump in JUMPS {
        more(&manager, &done, &writers).await;
        clock.set(jump).unwrap();
    }
    more(&manager, &done, &writers).await;
    stop.store(true, Ordering::Relaxed);
    let mut left = Vec::new();
    for writer in writers {
        left.push(writer.await.unwrap());
    }

    all_ended(&admin).await;
    for broker in left {
        let shown = admin.get(&broker).await.expect(200);
        assert_eq!(
            (&shown["ready"], &shown["description"]),
            (&json!(true), &json!("kept"))
        );
    }
    for model in &models {
        model.agrees("after all jumps").await;
        assert_eq!(model.resyncs(), 1, "it never had to read everything again");
        assert_eq!(model.connections(), 1, "it was never cut");
    }
    let output = manager.output();
    assert!(
        !output.contains(TAKES_UP),
        "work of the living was taken up:\n{output}"
    );
}

/// Waits until so many further deeds are done; a writer that has ended has failed.
async fn more<T>(manager: &Manager, done: &AtomicUsize, writers: &[tokio::task::JoinHandle<T>]) {
    let enough = done.load(Ordering::Relaxed) + BETWEEN;
    while done.load(Ordering::Relaxed) < enough {
        let failed = writers.iter().any(tokio::task::JoinHandle::is_finished);
        assert!(!failed, "a writer has failed:\n{}", manager.output());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Registers, changes, shows and removes one broker after the other. Gives the path of the last one, which stays.
async fn write(
    admin: Client,
    n: usize,
    host: HostileBroker,
    done: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
) -> String {
    let count = || done.fetch_add(1, Ordering::Relaxed);
    for turn in 0.. {
        let body = registration(&format!("broker-{n}-{turn}"), &host);
        let made = admin.post("/v1/service_brokers", &body).await.expect(201);
        count();
        let path = format!("/v1/service_brokers/{}", id(&made));
        let change = json!({"description": "kept", "labels": [{"op": "add", "key": "turn", "values": [turn.to_string()]}]});
        admin.patch(&path, &change).await.expect(200);
        count();
        let plan = plan_named(&admin, &made, "p0").await;
        show(&admin, &plan, None).await.expect(201);
        count();
        if stop.load(Ordering::Relaxed) {
            return path;
        }
        admin.delete(&path).await.expect(200);
        count();
    }
    String::new()
}
