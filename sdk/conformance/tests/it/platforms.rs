//! The suite about platforms against a small sound platform, and against that platform broken in one way at a time.

mod command;
mod habits;
mod mutants;
mod reference;

use habits::Habits;
use qm_conformance::platform::{Driver, Options, run};
use qm_conformance::{CancellationToken, Report};
use reference::Reference;
use std::sync::Arc;
use std::time::Duration;

/// Short times for a platform that does everything at once.
fn quick() -> Options {
    Options {
        patience: Duration::from_secs(20),
        settle: Duration::from_millis(400),
        request_timeout: Duration::from_secs(10),
        slow_answer: Duration::from_millis(300),
        ..Options::default()
    }
}

async fn judge(driver: Arc<dyn Driver>, options: Options) -> Report {
    let name = "the reference".to_owned();
    let listener = Arc::new(|_| {});
    let cancel = CancellationToken::new();
    run(name, driver, options, listener, cancel).await.unwrap()
}

/// Everything that is not as wanted, in words.
fn complaints(report: &Report) -> String {
    let mut text = String::new();
    for result in &report.results {
        if result.verdict.word() != "passed" {
            text.push_str(&format!("\n{} {:?}", result.id, result.verdict));
            for finding in &result.findings {
                text.push_str(&format!(
                    "\n    expected {}\n    seen {}",
                    finding.expected, finding.seen
                ));
                if let Some(exchange) = &finding.exchange {
                    let (sent, got) = (&exchange.sent, exchange.received.line());
                    text.push_str(&format!("\n    {} {} -> {got}", sent.method, sent.path));
                }
            }
        }
    }
    for left in &report.leftovers {
        text.push_str(&format!("\nleft: {left:?}"));
    }
    text
}

/// Without this the mutants would prove nothing: the platform itself breaks no rule, and every case can be observed.
#[tokio::test(flavor = "multi_thread")]
async fn a_sound_platform_passes_every_case() {
    let platform = Arc::new(Reference::new(Habits::sound()));
    let report = judge(platform.clone(), quick()).await;
    let summary = report.summary;
    assert_eq!(
        (summary.failed, summary.warned, summary.skipped),
        (0, 0, 0),
        "{}",
        complaints(&report)
    );
    assert_eq!(report.leftovers, []);
    assert!(platform.is_empty(), "the suite removes what it made");
    assert!(summary.passed >= 130, "{}", summary.passed);
}

/// What the suite shows of calls has no passwords in it.
#[tokio::test(flavor = "multi_thread")]
async fn credentials_are_starred_in_reports() {
    let platform = Arc::new(Reference::new(Habits::sound()));
    let options = Options {
        only: vec!["bind.created".to_owned(), "headers".to_owned()],
        keep_evidence: true,
        ..quick()
    };
    let report = judge(platform, options).await;
    let text = serde_json::to_string(&report).unwrap();
    assert!(text.contains("/service_bindings/"), "{text}");
    assert!(
        !text.contains("word of") && !text.contains("Basic "),
        "{text}"
    );
    assert!(text.contains("\"subject\":\"platform\""), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_run_leaves_nothing_behind() {
    let platform = Arc::new(Reference::new(Habits::sound()));
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let listener = Arc::new(move |event| {
        if matches!(event, qm_conformance::Event::Finished { .. }) {
            stop.cancel();
        }
    });
    let run = run("it".to_owned(), platform.clone(), quick(), listener, cancel);
    let report = run.await.unwrap();
    assert!(report.interrupted && report.summary.skipped > 0);
    assert!(platform.is_empty(), "{}", complaints(&report));
}
