//! `smctl verify platform`: plays the brokers of a platform, prints the result, says how it ended.

use super::ending;
use super::platform_args::PlatformArgs;
use super::progress::Progress;
use crate::exit::{Ends, Exit, usage};
use anyhow::{Error, Result};
use qm_conformance::CancellationToken;
use qm_conformance::platform::{self, RunError};

pub(crate) async fn run(args: PlatformArgs) -> Result<Exit> {
    let options = args.options()?;
    let (name, driver) = args.driver()?;
    let progress = Progress::new(args.quiet, "asking the platform");
    let cancel = CancellationToken::new();
    tokio::spawn(ending::watch_signals(cancel.clone(), progress.clone()));
    let outcome = platform::run(name, driver, options, progress.listener(), cancel).await;
    progress.clear();
    let report = outcome.map_err(explained)?;
    ending::print(&ending::render(&report, args.output, args.verbose)?)?;
    Ok(ending::exit(&report))
}

fn explained(error: RunError) -> Error {
    let exit = match &error {
        RunError::Unreachable(_) | RunError::Refused(_) => Exit::Unreachable,
        RunError::Cancelled => Exit::Interrupted,
        RunError::Listen { .. } => return usage(error),
    };
    Ends {
        exit,
        error: error.into(),
    }
    .into()
}
