//! The Prometheus recorder of this process.
//!
//! There is one per process, whoever installs it first. The rule: a program that has its own recorder
//! keeps it; then `/metrics` says so and everything else works as before.

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;

/// Seconds; from a call answered out of memory to a slow machine being made.
const BUCKETS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0,
];

static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Installs the recorder behind `/metrics`. True if it is ours, false if the program has another.
///
/// [`Server::run`](super::Server::run) calls it; call it earlier to count what happens before.
pub fn install_metrics() -> bool {
    handle().is_some()
}

pub(super) fn handle() -> Option<PrometheusHandle> {
    HANDLE.get_or_init(install).clone()
}

fn install() -> Option<PrometheusHandle> {
    let installed = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &BUCKETS)
        .and_then(PrometheusBuilder::install_recorder);
    match installed {
        Ok(handle) => {
            metrics::describe_gauge!("broker_connections", "Open connections.");
            metrics::describe_counter!(
                "broker_tls_handshakes_failed_total",
                "TLS handshakes that failed or took too long."
            );
            Some(handle)
        }
        Err(error) => {
            tracing::info!(error = %error, "another metrics recorder is installed; it stays");
            None
        }
    }
}
