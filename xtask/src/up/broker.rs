//! The example broker as a child process: built, started, waited for, stopped. It says one line
//! `listening on http://ADDR` when it is ready; all else it says is passed through.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::home::Home;
use super::signals::Signals;
use crate::cargo;
use crate::process;
use crate::workspace::Workspace;

const READY: &str = "listening on http://";
const START_LIMIT: Duration = Duration::from_secs(60);
/// The broker finishes the requests it has; then it is killed.
const STOP_LIMIT: Duration = Duration::from_secs(15);
const POLL: Duration = Duration::from_millis(100);

/// Builds the example; `None` when that failed, which cargo has explained.
pub(super) fn build(workspace: &Workspace) -> Result<Option<PathBuf>> {
    let _claim = cargo::claim(workspace)?;
    cargo::program(workspace, &["--example", "postgres"], "postgres")
}

pub(super) struct Broker {
    child: Child,
    lines: Receiver<String>,
}

impl Broker {
    pub(super) fn start(
        program: &Path,
        home: &Home,
        listen: SocketAddr,
        user: &str,
        password: &str,
        server: &str,
    ) -> Result<Self> {
        let mut command = tied(program);
        command
            .args([
                "--listen",
                &listen.to_string(),
                "--user",
                user,
                "--server",
                server,
            ])
            // In the environment, where `ps` does not show it.
            .env("QM_BROKER_PASSWORD", password)
            .arg("--store")
            .arg(home.file("broker.sqlite"));
        Self::spawn(command)
    }

    fn spawn(mut command: Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        let output = child.stdout.take().context("the broker has no output")?;
        let (sender, lines) = mpsc::channel();
        // A thread, because reading cannot be interrupted and a signal must be. It ends with the
        // broker's output.
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                println!("{line}");
                if sender.send(line).is_err() {
                    continue;
                }
            }
        });
        Ok(Self { child, lines })
    }

    /// Waits for the line that says it is ready; `None` when a signal came first.
    pub(super) fn ready(&mut self, signals: &Signals) -> Result<Option<SocketAddr>> {
        let start = Instant::now();
        while !signals.came() {
            match self.lines.recv_timeout(POLL) {
                Ok(line) => {
                    if let Some(address) = address(&line) {
                        return Ok(Some(address));
                    }
                }
                Err(RecvTimeoutError::Timeout) if start.elapsed() < START_LIMIT => {}
                Err(RecvTimeoutError::Timeout) => {
                    bail!("the broker is not ready after {} s", START_LIMIT.as_secs())
                }
                Err(RecvTimeoutError::Disconnected) => {
                    bail!(
                        "the broker ended before it was ready ({})",
                        self.child.wait()?
                    )
                }
            }
        }
        Ok(None)
    }

    /// Waits for a signal and stops the broker; or for the broker to end by itself, which is told.
    pub(super) fn wait(&mut self, signals: &Signals) -> Result<Option<ExitStatus>> {
        loop {
            if signals.came() {
                self.stop()?;
                return Ok(None);
            }
            if let Some(status) = self.child.try_wait()? {
                // Ctrl-C goes to both of us, and it may be the quicker one.
                thread::sleep(POLL);
                return Ok(Some(status).filter(|_| !signals.came()));
            }
            thread::sleep(POLL);
        }
    }

    pub(super) fn stop(&mut self) -> Result<()> {
        if self.child.try_wait()?.is_some() {
            return Ok(());
        }
        // The library can only kill; asking needs the program.
        let id = self.child.id().to_string();
        process::succeeds_quietly(Command::new("sh").args(["-c", "kill -TERM \"$0\"", &id]));
        let start = Instant::now();
        while start.elapsed() < STOP_LIMIT {
            if self.child.try_wait()?.is_some() {
                return Ok(());
            }
            thread::sleep(POLL);
        }
        eprintln!("the broker does not stop; killing it");
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        if let Err(error) = self.stop() {
            eprintln!("error: {error:#}");
        }
    }
}

/// The program, told by the kernel to stop when we are killed and cannot tell it ourselves: it would
/// go on holding the port.
fn tied(program: &Path) -> Command {
    if process::find("setpriv").is_none() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "TERM"]).arg(program);
    command
}

fn address(line: &str) -> Option<SocketAddr> {
    line.split_once(READY)?
        .1
        .split_whitespace()
        .next()?
        .trim_end_matches('/')
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{Broker, address};
    use crate::up::signals::Signals;

    fn script(text: &str) -> Broker {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        Broker::spawn(command).unwrap()
    }

    #[test]
    fn the_address_is_read_from_the_line() {
        assert_eq!(
            address("listening on http://127.0.0.1:80").unwrap().port(),
            80
        );
        assert_eq!(
            address("INFO listening on http://[::1]:8080/")
                .unwrap()
                .port(),
            8080
        );
        assert_eq!(address("listening on unix:/x"), None);
    }

    #[test]
    fn a_broker_that_says_its_line_is_ready_and_stops_when_asked() {
        let signals = Signals::catch().unwrap();
        let mut broker =
            script("echo starting; echo listening on http://127.0.0.1:9; exec sleep 600");
        assert_eq!(broker.ready(&signals).unwrap().unwrap().port(), 9);
        broker.stop().unwrap();
        assert!(broker.child.try_wait().unwrap().is_some());
    }

    #[test]
    fn a_broker_that_ends_is_told() {
        let signals = Signals::catch().unwrap();
        let error = script("echo no; exit 3")
            .ready(&signals)
            .unwrap_err()
            .to_string();
        assert!(error.contains("exit status: 3"), "{error}");
        let mut later = script("echo listening on http://127.0.0.1:9; exit 4");
        later.ready(&signals).unwrap();
        assert_eq!(later.wait(&signals).unwrap().unwrap().code(), Some(4));
    }
}
