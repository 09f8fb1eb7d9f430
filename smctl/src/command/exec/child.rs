//! The program itself: started, told of signals, waited for.

use crate::exit::Exit;
use crate::problem::Problem;
use std::process::ExitStatus;
use tokio::process::{Child, Command};

/// Runs a program with variables more, and gives back its exit code.
pub(super) async fn run(
    command: &[String],
    variables: &[(String, String)],
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
        })?;
    let status = wait(&mut child).await;
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

#[cfg(unix)]
async fn wait(child: &mut Child) -> std::io::Result<ExitStatus> {
    use rustix::process::Signal;
    use std::io::IsTerminal;
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let mut quit = signal(SignalKind::quit())?;
    // The terminal tells every program in the foreground by itself; twice would be once too often.
    let alone = !std::io::stdin().is_terminal();
    loop {
        let signal = tokio::select! {
            status = child.wait() => return status,
            _ = interrupt.recv() => alone.then_some(Signal::INT),
            _ = quit.recv() => alone.then_some(Signal::QUIT),
            _ = terminate.recv() => Some(Signal::TERM),
            _ = hangup.recv() => Some(Signal::HUP),
        };
        let pid = child.id().and_then(|id| i32::try_from(id).ok());
        let pid = pid.and_then(rustix::process::Pid::from_raw);
        if let (Some(signal), Some(pid)) = (signal, pid) {
            let _ = rustix::process::kill_process(pid, signal);
        }
    }
}

#[cfg(not(unix))]
async fn wait(child: &mut Child) -> std::io::Result<ExitStatus> {
    loop {
        tokio::select! {
            status = child.wait() => return status,
            _ = tokio::signal::ctrl_c() => {}
        }
    }
}

/// Comes when somebody wants an end.
pub(super) async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
