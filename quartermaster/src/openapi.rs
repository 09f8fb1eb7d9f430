//! `quartermaster openapi`: the description of the REST API, made from the routes themselves.

use anyhow::{Context, Result};
use std::io::Write as _;
use std::process::ExitCode;

pub(crate) fn print() -> Result<ExitCode> {
    let text = qm_http::openapi()
        .to_pretty_json()
        .context("the description cannot be written")?;
    // A reader that has seen enough is no error of ours.
    let _ = writeln!(std::io::stdout().lock(), "{text}");
    Ok(ExitCode::SUCCESS)
}
