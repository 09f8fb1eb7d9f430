#![doc = include_str!("../README.md")]
//!
//! This file maps a command to its own file, nothing else. Errors are printed here, once, with their
//! causes.

mod cli;
mod config;
mod data;
mod keys;
mod logs;
mod settings;

use clap::Parser as _;
use cli::{Cli, Command, KeysCommand};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Manager(_) => anyhow::bail!("later"),
        Command::Migrate(_) => anyhow::bail!("later"),
        Command::Openapi => anyhow::bail!("later"),
        Command::Config(args) => settings::print(&args),
        Command::Doctor(_) => anyhow::bail!("later"),
        Command::Keys(KeysCommand::New) => keys::new(),
        Command::Keys(KeysCommand::ShowIds(place)) => keys::show_ids(&place),
        Command::Keys(KeysCommand::Rotate(_)) => anyhow::bail!("later"),
    }
}
