#![doc = include_str!("../README.md")]
//!
//! This file maps a command to its own file, nothing else. Errors are printed here, once, with their
//! causes.

mod cli;
mod config;
mod data;
mod doctor;
mod keys;
mod logs;
mod manager;
mod migrate;
mod openapi;
mod place;
mod settings;
mod wire;

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
        Command::Manager(args) => manager::run(&args),
        Command::Migrate(place) => once(migrate::run(&place)),
        Command::Openapi => openapi::print(),
        Command::Config(args) => settings::print(&args),
        Command::Doctor(args) => once(doctor::run(&args)),
        Command::Keys(KeysCommand::New) => keys::new(),
        Command::Keys(KeysCommand::ShowIds(place)) => keys::show_ids(&place),
        Command::Keys(KeysCommand::Rotate(args)) => once(keys::rotate(&args)),
    }
}

/// Runs a command that does one thing and ends.
fn once(command: impl Future<Output = anyhow::Result<ExitCode>>) -> anyhow::Result<ExitCode> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?
        .block_on(command)
}
