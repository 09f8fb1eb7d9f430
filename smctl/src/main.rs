#![doc = include_str!("../README.md")]

mod cli;
mod client;
mod command;
mod compat;
mod complete;
mod config;
mod declare;
mod doc;
mod exit;
mod global;
mod inject;
mod login;
mod output;
mod paint;
mod problem;
mod prompt;
mod session;
mod transport;
mod verify;
mod wait;

use clap::Parser;
use clap::error::ErrorKind;
use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    // A shell asks for completions; everything else goes on.
    clap_complete::CompleteEnv::with_factory(cli::command)
        .var(command::completion::VARIABLE)
        .complete();
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misread(&error),
    };
    let runtime = if cli.is_busy() {
        tokio::runtime::Runtime::new()
    } else {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
    };
    let exit = match runtime {
        Ok(runtime) => match runtime.block_on(cli.run()) {
            Ok(exit) => exit,
            Err(error) => exit::report(&error),
        },
        Err(error) => exit::report(&error.into()),
    };
    exit.into()
}

/// Help and version are no errors; commands of the old smctl end with 1 as they always did.
fn misread(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => return Exit::Done.into(),
        // The old smctl shows its help and ends well.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if std::env::args().len() == 1 => {
            return Exit::Done.into();
        }
        _ => {}
    }
    let first = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    match first {
        Some(word) if compat::NAMES.contains(&word.as_str()) => Exit::Failed.into(),
        _ => Exit::Usage.into(),
    }
}
