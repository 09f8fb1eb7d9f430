//! `smctl verify broker`: runs the suite, prints the result, says how it ended.
//!
//! The first Ctrl-C stops the run and lets it delete what it created; the second one leaves at once.

use super::args::{BrokerArgs, Format};
use super::progress::Progress;
use super::{junit, markdown, table};
use crate::exit::{Ends, Exit, usage};
use crate::paint::Paint;
use anyhow::{Context, Error, Result};
use qm_conformance::{CancellationToken, Report, RunError};
use std::io::Write;

pub(crate) async fn run(args: BrokerArgs) -> Result<Exit> {
    let (target, options) = (args.target()?, args.options()?);
    let progress = Progress::new(args.quiet);
    let cancel = CancellationToken::new();
    tokio::spawn(watch_signals(cancel.clone(), progress.clone()));
    let outcome = qm_conformance::run(target, options, progress.listener(), cancel).await;
    progress.clear();
    let report = outcome.map_err(explained)?;
    print(&render(&report, &args)?)?;
    Ok(if report.interrupted {
        Exit::Interrupted
    } else if report.is_conformant() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

fn render(report: &Report, args: &BrokerArgs) -> Result<String> {
    Ok(match args.output {
        Format::Table => table::render(report, Paint::stdout(), args.verbose),
        Format::Json => serde_json::to_string_pretty(report)? + "\n",
        Format::Junit => junit::render(report),
        Format::Markdown => markdown::render(report),
    })
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

fn explained(error: RunError) -> Error {
    let exit = match &error {
        RunError::Unreachable(_) | RunError::Refused(_) => Exit::Unreachable,
        RunError::Cancelled => Exit::Interrupted,
        RunError::NoSuchPlan(_) | RunError::Tls(_) => return usage(error),
    };
    Ends {
        exit,
        error: error.into(),
    }
    .into()
}

async fn watch_signals(cancel: CancellationToken, progress: Progress) {
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
