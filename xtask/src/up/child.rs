//! A program of ours as a child process: started, waited for, stopped. It says one line `listening on
//! http://ADDR` when it is ready; all else it says is passed through.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::signals::Signals;
use crate::process;

const READY: &str = "listening on http://";
const START_LIMIT: Duration = Duration::from_secs(60);
/// It finishes the requests it has; then it is killed.
const STOP_LIMIT: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(100);

pub(super) struct Child {
    name: &'static str,
    process: std::process::Child,
    lines: Receiver<String>,
}

impl Child {
    /// Starts a program; see [`tied`] for one that must not outlive us.
    pub(super) fn spawn(name: &'static str, mut command: Command) -> Result<Self> {
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        let output = process
            .stdout
            .take()
            .with_context(|| format!("{name} has no output"))?;
        let (sender, lines) = mpsc::channel();
        // A thread, because reading cannot be interrupted and a signal must be. It ends with the
        // program's output.
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                // Where it listens is told later, with everything else.
                if address(&line).is_none() {
                    println!("{line}");
                }
                if sender.send(line).is_err() {
                    continue;
                }
            }
        });
        Ok(Self {
            name,
            process,
            lines,
        })
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
                    bail!(
                        "{} is not ready after {} s",
                        self.name,
                        START_LIMIT.as_secs()
                    )
                }
                Err(RecvTimeoutError::Disconnected) => {
                    bail!(
                        "{} ended before it was ready ({}); what it said is above",
                        self.name,
                        self.process.wait()?
                    )
                }
            }
        }
        Ok(None)
    }

    /// How it ended, if it has.
    pub(super) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.process.try_wait()?)
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn stop(&mut self) -> Result<()> {
        if self.process.try_wait()?.is_some() {
            return Ok(());
        }
        // The library can only kill; asking needs the program.
        let id = self.process.id().to_string();
        process::succeeds_quietly(Command::new("sh").args(["-c", "kill -TERM \"$0\"", &id]));
        let start = Instant::now();
        while start.elapsed() < STOP_LIMIT {
            if self.process.try_wait()?.is_some() {
                return Ok(());
            }
            thread::sleep(POLL);
        }
        eprintln!("{} does not stop; killing it", self.name);
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if let Err(error) = self.stop() {
            eprintln!("error: {error:#}");
        }
    }
}

/// The program, told by the kernel to stop when we are killed and cannot tell it ourselves: it would
/// go on holding the port.
pub(super) fn tied(program: &Path) -> Command {
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

    use super::{Child, address};
    use crate::up::signals::Signals;

    fn script(text: &str) -> Child {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        Child::spawn("the script", command).unwrap()
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
    fn a_program_that_says_its_line_is_ready_and_stops_when_asked() {
        let signals = Signals::catch().unwrap();
        let mut child =
            script("echo starting; echo listening on http://127.0.0.1:9; exec sleep 600");
        assert_eq!(child.ready(&signals).unwrap().unwrap().port(), 9);
        assert!(child.ended().unwrap().is_none());
        child.stop().unwrap();
        assert!(child.ended().unwrap().is_some());
    }

    #[test]
    fn a_program_that_ends_is_told_by_name() {
        let signals = Signals::catch().unwrap();
        let error = script("echo no; exit 3")
            .ready(&signals)
            .unwrap_err()
            .to_string();
        assert!(error.contains("the script ended"), "{error}");
        assert!(error.contains("exit status: 3"), "{error}");
    }
}
