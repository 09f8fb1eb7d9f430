//! Runs one of our executables as a person would, and treats it worse: kill, terminate, restart.
//!
//! Tests of whole programs (the example brokers, `smctl`) start here. The rule: a program is ready when
//! it prints `listening on http://ADDR`, and it never outlives the test, however the test ends.

mod error;
mod output;
mod program;

pub use error::Error;
pub use program::Program;

use crate::watchdog::Watchdog;
use output::Output;
use std::ffi::OsStr;
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

/// How long a program may take to say that it listens, and to end when asked. A limit for hung programs
/// on slow machines, not a promise.
const PATIENCE: Duration = Duration::from_secs(180);

/// A running program. Killed when dropped.
#[derive(Debug)]
pub struct Process {
    program: Program,
    child: Child,
    watchdog: Option<Watchdog>,
    output: Output,
    /// What earlier runs of the same process have written.
    before: String,
    address: SocketAddr,
}

impl Process {
    pub(self) async fn start(program: Program) -> Result<Self, Error> {
        let name = program.name();
        let mut child = program.spawn().map_err(|source| Error::NotStarted {
            program: name.clone(),
            source,
        })?;
        let output = Output::of(&mut child);
        let pid = child.id().to_string();
        let watchdog =
            Watchdog::start("kill -KILL \"$1\"", &[OsStr::new(&pid)]).map_err(|source| {
                let _ = child.kill();
                let _ = child.wait();
                Error::NotStarted {
                    program: name.clone(),
                    source,
                }
            })?;
        let mut process = Self {
            program,
            child,
            watchdog: Some(watchdog),
            output,
            before: String::new(),
            address: SocketAddr::from(([0, 0, 0, 0], 0)),
        };
        // From here on the process is killed by its drop.
        match tokio::time::timeout(PATIENCE, process.output.listening()).await {
            Ok(Some(address)) => {
                process.address = address;
                Ok(process)
            }
            _ => {
                let ended = process.child.try_wait().ok().flatten();
                process.kill9();
                Err(Error::NotReady {
                    program: name,
                    status: ended.map_or("still running".to_owned(), |status| status.to_string()),
                    output: process.output(),
                })
            }
        }
    }

    /// Where it listens, as it said itself.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `http://ADDR`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its process id; of the last run when it has ended.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Everything it has written so far, standard output and error together, all runs.
    pub fn output(&self) -> String {
        format!("{}{}", self.before, self.output.text())
    }

    /// Waits until it has written a line that contains `text`; false when it ended without.
    pub async fn wait_for_output(&self, text: &str) -> bool {
        let line = self.output.line(|line| line.contains(text).then_some(()));
        matches!(tokio::time::timeout(PATIENCE, line).await, Ok(Some(())))
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// SIGKILL, and waits until it is gone. Harmless when it has ended.
    pub fn kill9(&mut self) {
        // First the watchdog: once the process is collected, its id may belong to somebody else.
        if let Some(watchdog) = self.watchdog.take() {
            watchdog.dismiss();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// SIGTERM, and waits for the end.
    pub async fn terminate(&mut self) -> Result<ExitStatus, Error> {
        self.signal("TERM")?;
        self.wait().await
    }

    /// Sends any signal by its name (`INT`, `STOP`, `CONT`...).
    pub fn signal(&mut self, name: &str) -> Result<(), Error> {
        let pid = self.child.id().to_string();
        let sent = self.runs()
            && Command::new("sh")
                .args(["-c", "kill -s \"$1\" \"$2\"", "sh", name, &pid])
                .status()
                .is_ok_and(|status| status.success());
        if sent {
            Ok(())
        } else {
            Err(Error::NotSignalled {
                program: self.program.name(),
                signal: name.to_owned(),
            })
        }
    }

    /// Waits for its end.
    pub async fn wait(&mut self) -> Result<ExitStatus, Error> {
        let step = Duration::from_millis(10);
        let mut left = PATIENCE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.kill9();
                    return Ok(status);
                }
                Ok(None) if !left.is_zero() => {
                    tokio::time::sleep(step).await;
                    left = left.saturating_sub(step);
                }
                _ => {
                    return Err(Error::NotEnded {
                        program: self.program.name(),
                        output: self.output(),
                    });
                }
            }
        }
    }

    /// Kills it if it runs and starts it again with the same arguments. With port 0 among them the address
    /// changes; [`free_address`] gives one to fix beforehand.
    pub async fn restart(&mut self) -> Result<(), Error> {
        self.kill9();
        let mut next = Self::start(self.program.clone()).await?;
        next.before = self.output();
        *self = next;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill9();
    }
}

/// An address on loopback that was free a moment ago, for programs that must come back at the same place.
pub fn free_address() -> std::io::Result<SocketAddr> {
    std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()
}
