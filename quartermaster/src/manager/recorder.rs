//! The Prometheus recorder behind `/metrics`.

use anyhow::{Context, Result};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Seconds; from an answer out of memory to a broker that takes its time.
const BUCKETS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0,
];
/// Histograms keep what was recorded since the last upkeep; nobody may ever ask for them.
const UPKEEP: Duration = Duration::from_secs(5);

pub(super) fn install() -> Result<PrometheusHandle> {
    PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &BUCKETS)
        .and_then(PrometheusBuilder::install_recorder)
        .context("metrics cannot be recorded")
}

pub(super) async fn upkeep(handle: PrometheusHandle, stopping: CancellationToken) {
    while !stopping.is_cancelled() {
        tokio::time::sleep(UPKEEP).await;
        handle.run_upkeep();
    }
}
