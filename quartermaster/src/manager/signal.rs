//! SIGTERM and SIGINT, watched from the start so that one that comes early is not lost.

use anyhow::{Context, Result};
use tokio::signal::unix::{Signal, SignalKind, signal};

pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

/// Starts to watch. From here on neither signal ends the process by itself.
pub(super) fn watch() -> Result<Signals> {
    let watch = |kind| signal(kind).context("signals cannot be watched");
    Ok(Signals {
        terminate: watch(SignalKind::terminate())?,
        interrupt: watch(SignalKind::interrupt())?,
    })
}

impl Signals {
    /// Ready at the first signal.
    pub(super) async fn recv(&mut self) {
        let name = tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        };
        tracing::info!(signal = name, "stopping");
    }
}
