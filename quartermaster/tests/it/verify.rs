//! The manager as a platform, judged by the suite that judges any platform (`smctl verify platform`).

use crate::harness::{Engine, Setup};
use qm_conformance::platform::driver::{Login, ServiceManager};
use qm_conformance::platform::{Options, run};
use qm_conformance::{CancellationToken, Duration, Report, Secret, Tls};
use std::sync::Arc;

/// On one engine: what is judged is how brokers are spoken to, and that code is the same above both; a run takes most of
/// a minute.
#[tokio::test]
async fn the_manager_is_a_good_platform() {
    judge(Engine::Sqlite).await;
}

/// What does not depend on how fast the machine is, is waited for; what must not happen is watched for a while.
fn options() -> Options {
    Options {
        patience: Duration::from_secs(90),
        settle: Duration::from_secs(3),
        request_timeout: Duration::from_secs(60),
        slow_answer: Duration::from_secs(1),
        parallel: 16,
        ..Options::default()
    }
}

async fn judge(engine: Engine) {
    let manager = Setup::new(engine)
        .set("QM_OPERATIONS_POLL_INTERVAL", "500ms")
        .set("QM_OPERATIONS_RETRY_INTERVAL", "200ms")
        .set("QM_OPERATIONS_MITIGATION_GRACE", "200ms")
        .start()
        .await;
    let options = options();
    let login = Login::Password {
        user: "admin".to_owned(),
        password: Secret::new(manager.admin_password()),
        client_id: "cf".to_owned(),
        client_secret: Secret::new(String::new()),
    };
    let url = manager.url();
    let driver = ServiceManager::new(&url, login, &Tls::default(), options.patience).unwrap();
    let cancel = CancellationToken::new();
    let report = run(url, Arc::new(driver), options, Arc::new(|_| {}), cancel).await;
    let report = report.unwrap();
    let summary = report.summary;
    let wrong = (summary.failed, summary.warned);
    assert_eq!(wrong, (0, 0), "{}", complaints(&report));
    assert_eq!(report.leftovers, [], "the suite can remove what it made");
    // Only what the API has no words for is left out.
    let skipped = report
        .results
        .iter()
        .filter(|r| r.verdict.word() == "skipped");
    let skipped: Vec<&str> = skipped.map(|result| result.id).collect();
    assert_eq!(skipped, ["rotate.works", "rotate.not-rotatable"]);
}

fn complaints(report: &Report) -> String {
    let mut text = String::new();
    let wrong = |word: &str| matches!(word, "failed" | "warned");
    for result in report.results.iter().filter(|r| wrong(r.verdict.word())) {
        text.push_str(&format!("\n{} {}", result.verdict.word(), result.id));
        for finding in &result.findings {
            let (expected, seen) = (&finding.expected, &finding.seen);
            text.push_str(&format!("\n  expected {expected}\n  seen {seen}"));
        }
    }
    text
}
