//! A broker of others: the run goes to its end and names what that library really does wrong.

use crate::brokers::{PASSWORD, USER, judge, quick, target};
use qm_conformance::Options;
use std::collections::BTreeSet;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn its_real_deviations_are_named() {
    let Some(broker) = qm_testkit::openbrokerapi::start(USER, PASSWORD).await else {
        return;
    };
    let mut target = target(&broker.url());
    target.timeout = Duration::from_secs(20);
    let report = judge(
        target,
        Options {
            parallel: 6,
            ..quick()
        },
    )
    .await
    .unwrap();
    assert!(!report.interrupted && !report.is_conformant());
    let named: BTreeSet<&str> = report
        .results
        .iter()
        .filter(|result| matches!(result.verdict.word(), "failed" | "warned"))
        .map(|result| result.id)
        .collect();
    println!("{named:#?}");
}
