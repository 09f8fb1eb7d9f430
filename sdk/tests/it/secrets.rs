//! Marked secrets through every verb and every way to fail: they are in the right answers and nowhere else.
//!
//! Not in other answers, not in logs at the lowest level, not in metrics, not in the store's files.

use crate::desk::{Desk, Said};
use crate::puppet::{Deed, End, Gate, LARGE, World};
use bytes::Bytes;
use metrics_exporter_prometheus::PrometheusBuilder;
use quartermaster_sdk::Store;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

const MARK: &str = "CANARY";
/// In the parameters of provision, update and bind, and in credentials.
const MADE: &str = "CANARY-made-4d1f";
const CHANGED: &str = "CANARY-changed-93aa";
const ASKED: &str = "CANARY-asked-07c2";
const GIVEN: &str = "CANARY-given-e5b8";

/// What was logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn marked_secrets_stay_where_they_belong() {
    let folder = tempfile::tempdir().unwrap();
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .with_ansi(false)
        .finish();
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    tracing::subscriber::with_default(subscriber, || {
        metrics::with_local_recorder(&recorder, || runtime.block_on(everything(folder.path())));
    });
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(
        log.contains("the broker's function failed") && log.contains("***"),
        "{log}"
    );
    let leaks: Vec<&str> = log.lines().filter(|line| line.contains(MARK)).collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
    let metrics = metrics.render();
    assert!(metrics.contains("osb_requests_total"), "{metrics}");
    assert!(!metrics.contains(MARK), "{metrics}");
    not_in_files(folder.path());
}

fn not_in_files(folder: &Path) {
    let mut sizes = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let found = bytes
            .windows(MARK.len())
            .any(|window| window == MARK.as_bytes());
        assert!(!found, "{}", path.display());
        sizes.push((path, bytes.len()));
    }
    assert!(sizes.iter().any(|(_, size)| *size > 4096), "{sizes:?}");
}

/// An answer that may not hold any of them.
#[track_caller]
fn clean(said: &Said) {
    assert!(
        !String::from_utf8_lossy(&said.bytes).contains(MARK),
        "{}",
        said.body
    );
    assert!(
        !format!("{:?}", said.headers).contains(MARK),
        "{:?}",
        said.headers
    );
}

async fn everything(folder: &Path) {
    let store = Store::file(folder.join("broker.db")).await.unwrap();
    let desk = Desk::built(Some(store), &World::new(), |builder| builder).await;
    desk.world.give(json!({ "password": GIVEN }));
    let made = json!({ "parameters": { "password": MADE, "nested": { "list": [MADE] } } });
    clean(&desk.provision_with("i", false, made.clone()).await.is(201));
    clean(&desk.provision_with("i", false, made.clone()).await.is(200));
    clean(
        &desk
            .provision_with("i", false, json!({ "parameters": { "other": ASKED } }))
            .await
            .is(409),
    );
    let fetched = desk.fetch("i").await.is(200);
    assert_eq!(fetched.body["parameters"]["password"], MADE);

    // Failures whose causes quote what they were given.
    let changed = json!({ "parameters": { "password": CHANGED } });
    let quoting = End::Cause(format!("cannot change {MADE} to {CHANGED}"));
    desk.world.set("update", Deed::now().ends(quoting.clone()));
    clean(&desk.update("i", false, changed.clone()).await.is(500));
    desk.world.set("update", Deed::later().ends(quoting));
    let operation = desk
        .update("i", true, changed.clone())
        .await
        .is(202)
        .operation();
    clean(&desk.ended("i", &operation).await.has_state("failed"));
    desk.world.set(
        "update",
        Deed::now().ends(End::Panic(format!("no {CHANGED}"))),
    );
    clean(&desk.update("i", false, changed.clone()).await.is(500));
    desk.world.set("update", Deed::now());
    clean(&desk.update("i", false, changed).await.is(200));
    assert_eq!(
        desk.fetch("i").await.is(200).body["parameters"]["password"],
        CHANGED
    );

    let asked = json!({ "parameters": { "password": ASKED } });
    desk.world
        .set("bind", Deed::now().ends(End::Cause(format!("no {ASKED}"))));
    clean(&desk.bind_with("i", "b", false, asked.clone()).await.is(500));
    desk.world
        .set("bind", Deed::now().ends(End::Panic(format!("no {ASKED}"))));
    clean(&desk.bind_with("i", "b", false, asked.clone()).await.is(500));
    desk.world.set("bind", Deed::now());
    let bound = desk.bind_with("i", "b", false, asked.clone()).await.is(201);
    assert_eq!(bound.body["credentials"]["password"], GIVEN);
    assert!(!bound.body.to_string().contains(ASKED));
    assert_eq!(
        desk.fetch_binding("i", "b").await.is(200).body["parameters"]["password"],
        ASKED
    );
    clean(&desk.bind("i", "b", false).await.is(409));
    desk.rotate("i", "c", "b", false).await.is(201);
    clean(
        &desk
            .last_of_binding("i", "c", "")
            .await
            .has_state("succeeded"),
    );
    for (verb, given) in [("fetch_instance", CHANGED), ("fetch_binding", GIVEN)] {
        let quoting = format!("no {given}");
        desk.world.set(verb, Deed::now().ends(End::Cause(quoting)));
    }
    clean(&desk.fetch("i").await.is(500));
    clean(&desk.fetch_binding("i", "b").await.is(500));
    desk.world.set(
        "unbind",
        Deed::now().ends(End::Cause(format!("no {ASKED} with {GIVEN}"))),
    );
    clean(&desk.unbind("i", "b", false).await.is(500));
    desk.world.set(
        "deprovision",
        Deed::now().ends(End::Cause(format!("no {CHANGED}"))),
    );
    clean(&desk.deprovision("i", false).await.is(422));
    desk.world.set("unbind", Deed::now());
    clean(&desk.unbind("i", "b", false).await.is(200));
    clean(&desk.unbind("i", "c", false).await.is(200));
    clean(&desk.deprovision("i", false).await.is(500));

    // Work that is under way when the process stops, with a marked secret in its intent.
    let gate = Gate::shut();
    desk.world
        .set("update", Deed::later().says("half way").behind(&gate));
    let under_way = json!({ "plan_id": LARGE, "parameters": { "password": CHANGED } });
    clean(&desk.update("i", true, under_way).await.is(202));

    nonsense(&desk).await;
    desk.platform.endpoint().shutdown().await;
}

/// Bodies and headers that are wrong and marked.
async fn nonsense(desk: &Desk) {
    for body in [
        format!("{{\"parameters\": \"{MADE}\"}}"),
        format!("{{\"service_id\": \"service-1\", \"parameters\": \"{MADE}\""),
        MADE.to_owned(),
        format!("{{\"{MADE}\": "),
        format!("{{\"service_id\": [\"{MADE}\"]}}"),
        format!("{{\"maintenance_info\": \"{MADE}\", \"service_id\": \"service-1\"}}"),
    ] {
        for (method, path) in [
            ("PUT", "n"),
            ("PATCH", "i"),
            ("PUT", "i/service_bindings/n"),
        ] {
            let request = http::Request::builder()
                .method(method)
                .uri(format!("/v2/service_instances/{path}"))
                .header("X-Broker-API-Version", "2.17")
                .body(Bytes::from(body.clone()))
                .unwrap();
            clean(&desk.raw(request).await.is(400));
        }
    }
    for (name, value) in [
        ("X-Broker-API-Originating-Identity", MADE),
        ("Authorization", MADE),
        ("Cookie", MADE),
        ("X-Broker-API-Version", MADE),
    ] {
        let request = http::Request::builder()
            .uri("/v2/catalog")
            .header(name, value);
        let said = desk.raw(request.body(Bytes::new()).unwrap()).await;
        clean(&said);
    }
}
