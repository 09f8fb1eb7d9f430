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
mod stop;
mod transport;
mod verify;
mod wait;

use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    quiet_pipes();
    // A shell asks for completions; everything else goes on.
    clap_complete::CompleteEnv::with_factory(cli::command)
        .var(command::completion::VARIABLE)
        .complete();
    let cli = match cli::Cli::read() {
        Ok(cli) => cli,
        Err(error) => return cli::misread(&error).into(),
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
    match exit {
        Exit::Done if !output::is_whole() => Exit::Failed.into(),
        exit => exit.into(),
    }
}

/// Whoever reads what is printed may stop reading, as `head` does. That is no failure to tell of, and there is nobody left
/// to tell it to.
fn quiet_pipes() {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let words = panic.payload().downcast_ref::<String>();
        if words.is_some_and(|words| words.starts_with("failed printing to stdout")) {
            std::process::exit(i32::from(Exit::Of(141).code()));
        }
        told(panic);
    }));
}
