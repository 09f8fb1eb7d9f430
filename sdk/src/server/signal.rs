//! SIGTERM and SIGINT, as a future to hand to [`Server::run`](super::Server::run).

use std::future::pending;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Ready at the first SIGTERM or SIGINT after this call. Call it inside a tokio runtime.
///
/// A signal that cannot be watched is logged and keeps its usual effect, which is to end the process.
pub fn shutdown_signal() -> impl Future<Output = ()> + Send {
    let terminate = watch(SignalKind::terminate(), "SIGTERM");
    let interrupt = watch(SignalKind::interrupt(), "SIGINT");
    async move {
        let name = tokio::select! {
            () = next(terminate) => "SIGTERM",
            () = next(interrupt) => "SIGINT",
        };
        tracing::info!(signal = name, "stopping");
    }
}

fn watch(kind: SignalKind, name: &'static str) -> Option<Signal> {
    match signal(kind) {
        Ok(signal) => Some(signal),
        Err(error) => {
            tracing::warn!(signal = name, error = %error, "a signal cannot be watched");
            None
        }
    }
}

async fn next(signal: Option<Signal>) {
    match signal {
        Some(mut signal) => {
            signal.recv().await;
        }
        None => pending().await,
    }
}
