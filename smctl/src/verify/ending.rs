//! What both halves of `verify` do at the end: print the report, choose the exit code, and stop at Ctrl-C.
//!
//! The first Ctrl-C stops the run and lets it delete what it created; the second one leaves at once.

use super::args::Format;
use super::progress::Progress;
use super::{junit, markdown, table};
use crate::exit::Exit;
use crate::paint::Paint;
use anyhow::{Context, Result};
use qm_conformance::{CancellationToken, Report};
use std::io::Write;

/// The report as it was asked for.
pub(crate) fn render(report: &Report, format: Format, verbose: bool) -> Result<String> {
    Ok(match format {
        Format::Table => table::render(report, Paint::stdout(), verbose),
        Format::Json => serde_json::to_string_pretty(report)? + "\n",
        Format::Junit => junit::render(report),
        Format::Markdown => markdown::render(report),
    })
}

/// How a run ends the program.
pub(crate) fn exit(report: &Report) -> Exit {
    if report.interrupted {
        Exit::Interrupted
    } else if report.is_conformant() {
        Exit::Done
    } else {
        Exit::Failed
    }
}

/// Writes to standard output. A reader that has gone away is no error.
pub(crate) fn print(text: &str) -> Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Cancels at the first signal and leaves at the second.
pub(crate) async fn watch_signals(cancel: CancellationToken, progress: Progress) {
    if !signal().await {
        return;
    }
    progress.say("interrupted: deleting what was created; press Ctrl-C again to leave it");
    cancel.cancel();
    if signal().await {
        std::process::exit(Exit::Interrupted.code().into());
    }
}

/// Waits for Ctrl-C or a request to terminate; false when signals cannot be watched.
async fn signal() -> bool {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminate) = signal(SignalKind::terminate()) else {
            return tokio::signal::ctrl_c().await.is_ok();
        };
        tokio::select! {
            stopped = tokio::signal::ctrl_c() => stopped.is_ok(),
            _ = terminate.recv() => true,
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await.is_ok()
}
