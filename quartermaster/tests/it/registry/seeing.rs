//! Seeing the manager run: metrics, health, readiness, configuration, logging, versions of agents.

use crate::harness::answer::text;
use crate::harness::brokers::{broker, register};
use crate::harness::{Engine, Manager, Platform, Setup, eventually};
use serde_json::json;

on_both_engines!(
    metrics_have_the_documented_names,
    metrics_can_be_closed,
    health_says_what_is_wrong_to_those_who_may_know,
    the_configuration_is_shown_without_secrets,
    the_log_level_can_be_changed,
    versions_of_agents_are_told,
    a_manager_that_stops_is_not_ready,
);

async fn metrics_have_the_documented_names(engine: Engine) {
    let manager = Setup::new(engine)
        .set("QM_METRICS_INTERVAL", "200ms")
        .start()
        .await;
    let admin = manager.admin();
    let hostile = broker().await;
    register(&admin, "db", &hostile).await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let mut stream = platform.connect(None).await;
    stream.ping(b"x").await;
    let documented = documented_metrics();
    assert!(documented.len() >= 10, "{documented:?}");
    let text = eventually("the registrations are counted", async || {
        let answer = manager.anybody().get("/metrics").await;
        assert_eq!(answer.status, 200, "{answer:#?}");
        let ended = ["broker", "platform"].map(|resource| {
            format!(
                r#"qm_operations_ended_total{{resource="{resource}",type="create",state="succeeded"}} 1"#
            )
        });
        let counted = ended.iter().all(|line| answer.text.contains(line));
        counted.then_some(answer.text)
    })
    .await;
    let shown: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "))
        .filter_map(|line| line.split(' ').next())
        .collect();
    for name in &shown {
        assert!(
            documented.iter().any(|known| known == name),
            "{name} is not documented"
        );
    }
    // What needs an event of its own to appear is not asked for here.
    let seen = documented
        .iter()
        .filter(|name| shown.contains(&name.as_str()))
        .count();
    assert!(
        seen * 2 > documented.len(),
        "only {shown:?} of {documented:?}"
    );
}

/// The names in the documentation's list.
fn documented_metrics() -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let text = std::fs::read_to_string(&path).unwrap();
            let cells = text.lines().filter_map(|line| line.strip_prefix("| `qm_"));
            names.extend(cells.filter_map(|cell| Some(format!("qm_{}", cell.split('`').next()?))));
        }
    }
    names.sort();
    names.dedup();
    names
}

async fn metrics_can_be_closed(engine: Engine) {
    let setup = Setup::new(engine).set("QM_METRICS_PUBLIC", "false");
    let manager = setup.start().await;
    manager.anybody().get("/metrics").await.expect(401);
    assert_eq!(manager.admin().get("/metrics").await.status, 200);
}

async fn health_says_what_is_wrong_to_those_who_may_know(engine: Engine) {
    let manager = Manager::start(engine).await;
    let health = manager
        .anybody()
        .get("/v1/monitor/health")
        .await
        .expect(200);
    assert_eq!(health["status"], "UP");
    for indicator in health["details"].as_object().unwrap().values() {
        assert_eq!(indicator.get("error"), None, "{indicator}");
        assert_eq!(indicator.get("details"), None, "{indicator}");
        assert!(indicator["status"].is_string() && indicator["check_time"].is_string());
    }
    let full = manager.admin().get("/v1/monitor/health").await.expect(200);
    assert!(
        full["details"].as_object().unwrap().contains_key("storage"),
        "{full}"
    );
    assert_eq!(manager.anybody().get("/healthz").await.status, 200);
    let ready = manager.anybody().get("/readyz").await.expect(200);
    assert_eq!(ready["ready"], true);
    assert!(
        ready["reasons"].as_array().is_none_or(Vec::is_empty),
        "{ready}"
    );
}

async fn the_configuration_is_shown_without_secrets(engine: Engine) {
    let manager = Manager::start(engine).await;
    let config = manager.admin().get("/v1/config").await;
    let shown = config.text.clone();
    let config = config.expect(200);
    assert!(config["server"]["max_body_bytes"].is_u64(), "{config}");
    assert!(!shown.contains(&manager.admin_password()));
    manager.anybody().get("/v1/config").await.expect(401);
}

async fn the_log_level_can_be_changed(engine: Engine) {
    let manager = Setup::new(engine)
        .set("QM_LOG_LEVEL", "error")
        .start()
        .await;
    let admin = manager.admin();
    let path = "/v1/config/logging";
    let logging = admin.get(path).await.expect(200);
    assert_eq!(logging["level"], "error");
    for field in ["format", "output"] {
        assert!(!text(&logging, field).is_empty(), "{logging}");
    }
    assert_eq!(
        admin
            .put(path, &json!({"level": "debug"}))
            .await
            .expect(200),
        json!({})
    );
    assert_eq!(admin.get(path).await.expect(200)["level"], "debug");
    let quiet = manager.output().len();
    admin.get("/v1/platforms").await.expect(200);
    eventually("the log speaks", async || {
        (manager.output().len() > quiet).then_some(())
    })
    .await;
    for wrong in [
        json!({"level": "loud"}),
        json!({"output": "/tmp/elsewhere"}),
        json!({"format": "rhyme"}),
    ] {
        admin.put(path, &wrong).await.refused(400, "BadRequest");
    }
    assert_eq!(admin.get(path).await.expect(200)["level"], "debug");
}

async fn versions_of_agents_are_told(engine: Engine) {
    let manager = Manager::start(engine).await;
    let path = "/v1/agents/versions";
    assert_eq!(manager.anybody().get(path).await.expect(200), json!({}));
    let versions = r#"{"cloudfoundry":["0.13.3"],"kubernetes":["0.9.1","0.9.2"]}"#;
    let manager = Setup::new(engine)
        .set("QM_API_AGENTS_VERSIONS", versions)
        .start()
        .await;
    let shown = manager.anybody().get(path).await.expect(200);
    assert_eq!(
        shown,
        serde_json::from_str::<serde_json::Value>(versions).unwrap()
    );
}

async fn a_manager_that_stops_is_not_ready(engine: Engine) {
    let mut manager = Manager::start(engine).await;
    let status = manager.stop().await;
    assert!(status.success(), "{status}: {}", manager.output());
    manager.restart().await;
    manager.process().signal("INT").unwrap();
    let status = manager.process().wait().await.unwrap();
    assert!(status.success(), "Ctrl-C: {status}");
}
