//! The program itself: started, told of signals, waited for.

use crate::exit::Exit;
use crate::problem::Problem;
use crate::stop::{Sent, Stop};
use std::io::IsTerminal;
use std::process::ExitStatus;
use tokio::process::{Child, Command};

/// Runs a program with variables more, and gives back its exit code.
pub(super) async fn run(
    command: &[String],
    variables: &[(String, String)],
    stop: &mut Stop,
) -> Result<Exit, Problem> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(Problem::usage("there is no program to run"));
    };
    let mut child = Command::new(program)
        .args(arguments)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .spawn()
        .map_err(|error| {
            let code = if error.kind() == std::io::ErrorKind::NotFound {
                127
            } else {
                126
            };
            Problem::new(Exit::Of(code), format!("{program} cannot be started"))
                .why(error.to_string())
                .hint("check its name, and that it is in the PATH")
        })?;
    let status = wait(&mut child, stop).await;
    status
        .map(|status| Exit::Of(code(status)))
        .map_err(|error| {
            Problem::new(Exit::Failed, format!("{program} was lost")).why(error.to_string())
        })
}

/// The code that a shell would give.
fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).unwrap_or(1);
    }
    status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(1)
}

/// Waits for its end; until then signals are the program's.
async fn wait(child: &mut Child, stop: &mut Stop) -> std::io::Result<ExitStatus> {
    // The terminal tells every program in the foreground by itself; twice would be once too often.
    let alone = !std::io::stdin().is_terminal();
    loop {
        let sent = tokio::select! {
            status = child.wait() => return status,
            sent = stop.came() => sent,
        };
        pass_on(child, sent, alone);
    }
}

#[cfg(unix)]
fn pass_on(child: &Child, sent: Sent, alone: bool) {
    use rustix::process::Signal;

    let signal = match sent {
        Sent::Interrupt => alone.then_some(Signal::INT),
        Sent::Quit => alone.then_some(Signal::QUIT),
        Sent::Terminate => Some(Signal::TERM),
        Sent::Hangup => Some(Signal::HUP),
    };
    let pid = child.id().and_then(|id| i32::try_from(id).ok());
    let pid = pid.and_then(rustix::process::Pid::from_raw);
    if let (Some(signal), Some(pid)) = (signal, pid) {
        let _ = rustix::process::kill_process(pid, signal);
    }
}

#[cfg(not(unix))]
fn pass_on(_: &Child, _: Sent, _: bool) {}
