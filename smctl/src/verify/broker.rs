//! `smctl verify broker`: runs the suite, prints the result, says how it ended.

use super::args::BrokerArgs;
use super::ending;
use super::progress::Progress;
use crate::exit::{Ends, Exit, usage};
use anyhow::{Error, Result};
use qm_conformance::{CancellationToken, RunError};

pub(crate) async fn run(args: BrokerArgs) -> Result<Exit> {
    let (target, options) = (args.target()?, args.options()?);
    let progress = Progress::new(args.quiet, "reading the catalog");
    let cancel = CancellationToken::new();
    tokio::spawn(ending::watch_signals(cancel.clone(), progress.clone()));
    let outcome = qm_conformance::run(target, options, progress.listener(), cancel).await;
    progress.clear();
    let report = outcome.map_err(explained)?;
    ending::print(&ending::render(&report, args.output, args.verbose)?)?;
    Ok(ending::exit(&report))
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
