#![doc = include_str!("../README.md")]
//!
//! This file maps a word to its command, nothing else. A command that has already said what is
//! wrong returns a failing exit code; any other error is printed here, once, with its causes.

mod args;
mod bench;
mod cache;
mod cargo;
mod check;
mod fuzz;
mod generate;
mod help;
mod metadata;
mod oracle;
mod postgres;
mod process;
mod setup;
mod test;
mod up;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;

use crate::args::Args;
use crate::workspace::Workspace;

fn main() -> ExitCode {
    let args = Args::new(
        std::env::args_os()
            .skip(1)
            .map(|word| word.to_string_lossy().into_owned()),
    );
    match run(args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut args: Args) -> Result<ExitCode> {
    if args.wants_help() {
        println!("{}", help::TEXT);
        return Ok(ExitCode::SUCCESS);
    }
    let Some(command) = args.positional() else {
        println!("{}", help::TEXT);
        return Ok(ExitCode::SUCCESS);
    };
    match command.as_str() {
        "up" => up::run(&Workspace::open()?, args),
        "test" => test::run(&Workspace::open()?, args),
        "setup" => setup::command(args),
        "check" => check::run(&Workspace::open()?, args),
        "generate" => generate::run(&Workspace::open()?, args),
        "bench" => bench::run(&Workspace::open()?, args),
        "oracle" => oracle::run(&Workspace::open()?, args),
        "fuzz" => fuzz::run(&Workspace::open()?, args),
        other => anyhow::bail!("there is no command `{other}`; `cargo xtask --help` lists them"),
    }
}
