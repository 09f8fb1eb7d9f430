//! `quartermaster config`: what is in force, or what there is to set.

use crate::cli::ConfigArgs;
use crate::config;
use anyhow::Result;
use std::io::Write as _;
use std::process::ExitCode;

pub(crate) fn print(args: &ConfigArgs) -> Result<ExitCode> {
    let text = if args.defaults {
        config::DEFAULTS.to_owned()
    } else if args.reference {
        config::markdown()
    } else {
        args.place.load(Some(&args.listen))?.text()
    };
    // A reader that has seen enough is no error of ours.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Ok(ExitCode::SUCCESS)
}
