//! `cargo xtask bench NAME`: the measurements of the `bench` crate, always in a release build. What
//! a name means, and which names there are, is known there.

use std::process::ExitCode;

use anyhow::Result;

use crate::args::Args;
use crate::workspace::Workspace;
use crate::{cargo, oracle, process};

pub(crate) fn run(workspace: &Workspace, mut args: Args) -> Result<ExitCode> {
    let claim = cargo::claim(workspace)?;
    let mut build = cargo::command(workspace);
    build.args(["build", "--release", "-p", "qm-bench"]);
    if !process::succeeds(&mut build)? {
        return Ok(ExitCode::FAILURE);
    }
    let words = args.rest();
    let mut bench = cargo::command(workspace);
    bench
        .args(["run", "--quiet", "--release", "-p", "qm-bench", "--"])
        .args(&words);
    // Its peer is a Go program that we build.
    if words.iter().any(|word| word == "render")
        && let Some(program) = oracle::bring(workspace)
    {
        bench.env(oracle::VARIABLE, program);
    }
    let good = process::succeeds(&mut bench)?;
    drop(claim);
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
