//! Starts brokers and runs the suite against them.

use qm_conformance::{CancellationToken, Options, Report, RunError, Target};
use qm_testkit::process::{Process, Program};
use std::sync::Arc;
use std::time::Duration;

pub(crate) const USER: &str = "conformance";
pub(crate) const PASSWORD: &str = "hunter2-is-secret";

/// The `minimal` example, with its store in memory of the process.
pub(crate) struct Minimal {
    pub(crate) process: Process,
    _folder: tempfile::TempDir,
}

pub(crate) async fn minimal() -> Minimal {
    let folder = tempfile::tempdir().unwrap();
    let process = Program::example("minimal")
        .unwrap()
        .args([
            "--listen",
            "127.0.0.1:0",
            "--user",
            USER,
            "--password",
            PASSWORD,
        ])
        .arg("--store")
        .arg(folder.path().join("minimal.db"))
        .start()
        .await
        .unwrap();
    Minimal {
        process,
        _folder: folder,
    }
}

pub(crate) fn target(url: &str) -> Target {
    Target::new(url).unwrap().with_basic(USER, PASSWORD)
}

/// Options for a test: polls quickly.
pub(crate) fn quick() -> Options {
    Options {
        poll_floor: Duration::from_millis(20),
        poll_cap: Duration::from_millis(100),
        poll_deadline: Duration::from_secs(60),
        ..Options::default()
    }
}

pub(crate) async fn judge(target: Target, options: Options) -> Result<Report, RunError> {
    qm_conformance::run(target, options, Arc::new(|_| {}), CancellationToken::new()).await
}

/// What is wrong, for the message of an assertion.
pub(crate) fn complaints(report: &Report) -> String {
    let mut text = String::new();
    for result in &report.results {
        for finding in &result.findings {
            let sent = finding.exchange.as_ref().map_or(String::new(), |exchange| {
                format!("{} {}", exchange.sent.method, exchange.sent.path)
            });
            text.push_str(&format!(
                "\n{} {:?} {}: expected {}; seen {}; sent {sent}",
                result.id,
                result.plan,
                result.verdict.word(),
                finding.expected,
                finding.seen
            ));
        }
    }
    text
}
