//! The examples of the SDK, the guide's among them, pass whole, and what is skipped says why.

use crate::brokers::{PASSWORD, USER, complaints, judge, minimal, quick, target};
use qm_conformance::{ApiVersion, Report, Verdict};
use qm_testkit::process::Program;

/// Nothing failed, nothing warned, every skip is about the broker's choices and not about a broken set-up.
fn spotless(report: &Report) {
    assert_eq!(report.summary.failed, 0, "{}", complaints(report));
    assert_eq!(report.summary.warned, 0, "{}", complaints(report));
    assert!(report.leftovers.is_empty(), "{:?}", report.leftovers);
    assert!(report.summary.passed > 200, "{:?}", report.summary);
    for result in &report.results {
        if let Verdict::Skipped { reason } = &result.verdict {
            let set_up = ["could", "cannot", "broke off", "interrupted"];
            let fine = !reason.is_empty() && !set_up.iter().any(|word| reason.contains(word));
            assert!(fine, "{} {:?} skipped: {reason}", result.id, result.plan);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_minimal_broker_is_conformant() {
    let broker = minimal().await;
    let report = judge(target(&broker.process.url()), quick()).await.unwrap();
    spotless(&report);
    assert_eq!(report.plans, ["token/instant", "token/relaxed"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_minimal_broker_is_conformant_to_older_platforms() {
    let broker = minimal().await;
    for minor in [13, 15] {
        let mut target = target(&broker.process.url());
        target.api_version = ApiVersion { minor };
        let report = judge(target, quick()).await.unwrap();
        assert_eq!(report.summary.failed, 0, "{}", complaints(&report));
        let rotation = report.of("rotate.minimal-body").next().unwrap();
        assert_eq!(rotation.verdict.word(), "skipped");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_postgres_broker_is_conformant() {
    let Some(database) = qm_testkit::postgres::database().await else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let broker = Program::example("postgres")
        .unwrap()
        .args([
            "--listen",
            "127.0.0.1:0",
            "--user",
            USER,
            "--password",
            PASSWORD,
        ])
        .args(["--server", &database.url(), "--store"])
        .arg(folder.path().join("postgres.db"))
        .start()
        .await
        .unwrap();
    let report = judge(target(&broker.url()), quick()).await.unwrap();
    spotless(&report);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_broker_of_the_guide_is_conformant() {
    let folder = tempfile::tempdir().unwrap();
    let broker = Program::example("folders")
        .unwrap()
        .args(["--listen", "127.0.0.1:0", "--user", USER])
        .args(["--password", PASSWORD, "--store"])
        .arg(folder.path().join("folders.db"))
        .env("FOLDERS", folder.path().join("folders"))
        .start()
        .await
        .unwrap();
    let report = judge(target(&broker.url()), quick()).await.unwrap();
    spotless(&report);
    let left = std::fs::read_dir(folder.path().join("folders")).unwrap();
    assert_eq!(left.count(), 0, "folders were left behind");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_reaches_the_report() {
    let broker = minimal().await;
    let mut options = quick();
    options.keep_evidence = true;
    options.only = vec!["bind".into(), "auth".into(), "fetch-binding".into()];
    let report = judge(target(&broker.process.url()), options).await.unwrap();
    let evidence: usize = report.results.iter().map(|r| r.evidence.len()).sum();
    assert!(evidence > 100, "{evidence}");
    let printed = serde_json::to_string(&report).unwrap() + &format!("{report:?}");
    assert!(!printed.contains(PASSWORD));
    assert!(printed.contains("credentials"));
    for result in &report.results {
        for exchange in &result.evidence {
            let shown = serde_json::to_value(&**exchange).unwrap();
            let Some(body) = shown["received"]["answer"]["body"].as_str() else {
                continue;
            };
            let body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
            let token = &body["credentials"]["token"];
            assert!(token.is_null() || token == "***", "{token}");
        }
    }
}
