#![doc = include_str!("../README.md")]

mod cli;
mod exit;
mod paint;
mod verify;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return exit::report(&error.into()),
    };
    match runtime.block_on(cli.run()) {
        Ok(exit) => exit.into(),
        Err(error) => exit::report(&error),
    }
}
