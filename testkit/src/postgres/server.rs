//! One server: start, stop, kill, restart, and SQL on it by `psql`.
//!
//! `postgres::server()` holds the shared one; benchmarks and fault tests start their own. The rule: the
//! port, the data and the directory stay the same for the life of a `Server`, whatever is done to it.

use super::place::Place;
use super::programs::{Programs, run};
use super::template::{self, USER};
use super::{Database, Error};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Ends the server `$1` and all its processes at once, and waits until none runs. It is halted first: a
/// running parent would see its children die and begin an orderly recovery, or start new ones.
const KILL: &str = r#"
kill -STOP "$1"
all="$1 $(cat "/proc/$1/task/$1/children")"
kill -KILL $all
for pid in $all; do
  while grep -q '^State:[[:space:]]*[^ZX]' "/proc/$pid/status" 2>/dev/null; do sleep 0.02; done
done
"#;

/// How a server is run.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Write through to the disk, as in production. Off by default: scratch data need not survive.
    pub fsync: bool,
    /// Further settings as `name`, `value`, for instance `("max_connections", "300")`.
    pub settings: Vec<(String, String)>,
}

/// A scratch server. Stopped and removed when dropped, or when the process ends in any other way.
#[derive(Debug)]
pub struct Server {
    inner: Arc<Inner>,
}

#[derive(Debug)]
pub(super) struct Inner {
    programs: Programs,
    place: Place,
    port: u16,
    options: Options,
}

impl Server {
    /// Starts a server and waits until it accepts connections.
    pub fn start(options: Options) -> Result<Self, Error> {
        let programs = Programs::find()?;
        let place = Place::make(&programs, &options)?;
        template::fill(&programs, &place.data())?;
        let mut inner = Inner {
            programs,
            place,
            port: free_port()?,
            options,
        };
        // Another program may take the port between our look and the server's; then look again.
        let mut tries = 1;
        while let Err(error) = inner.launch() {
            if tries == 3 {
                return Err(error);
            }
            tries += 1;
            inner.port = free_port()?;
        }
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// A fresh, empty database, dropped with the value returned.
    pub fn database(&self) -> Result<Database, Error> {
        Database::create(&self.inner)
    }

    /// `postgres://test@127.0.0.1:PORT/DATABASE`; the user is the superuser and needs no password.
    pub fn url(&self, database: &str) -> String {
        self.inner.url(database)
    }

    /// The same by the unix socket, with the directory percent-encoded in the host's place.
    pub fn socket_url(&self, database: &str) -> String {
        self.inner.socket_url(database)
    }

    /// The TCP port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.inner.port
    }

    /// The directory with the data, the log and the socket.
    pub fn directory(&self) -> &Path {
        &self.inner.place.dir
    }

    /// For instance `15.18`.
    pub fn version(&self) -> &str {
        &self.inner.programs.version
    }

    /// What the server has logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.inner.place.log()).unwrap_or_default()
    }

    /// Runs SQL by `psql`; rows come back as lines, columns separated by `|`.
    pub fn psql(&self, database: &str, sql: &str) -> Result<String, Error> {
        self.inner.psql(database, sql)
    }

    /// Cuts every connection to a database and waits until they are gone.
    pub fn terminate_backends(&self, database: &str) -> Result<(), Error> {
        let name = literal(database);
        self.inner
            .psql(
                "postgres",
                &format!("select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = {name}"),
            )
            .map(drop)
    }

    /// Stops in good order: open transactions are rolled back, connections cut, data written.
    pub fn stop(&self) -> Result<(), Error> {
        self.inner.stop()
    }

    /// Ends all processes of the server with SIGKILL, as a crash of the machine would.
    pub fn kill(&self) -> Result<(), Error> {
        self.inner.kill()
    }

    /// Starts again after [`stop`](Self::stop) or [`kill`](Self::kill), on the same port and data.
    pub fn start_again(&self) -> Result<(), Error> {
        self.inner.launch()
    }

    /// Stops in good order and starts again.
    pub fn restart(&self) -> Result<(), Error> {
        self.stop()?;
        self.start_again()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Databases may outlive the server by a moment; they must not keep it running.
        self.inner.place.remove();
    }
}

impl Inner {
    pub(super) fn url(&self, database: &str) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/{database}", self.port)
    }

    pub(super) fn socket_url(&self, database: &str) -> String {
        let host = self.place.dir.to_string_lossy();
        let host = utf8_percent_encode(&host, NON_ALPHANUMERIC);
        format!("postgres://{USER}@{host}:{}/{database}", self.port)
    }

    pub(super) fn psql(&self, database: &str, sql: &str) -> Result<String, Error> {
        run(self
            .programs
            .command("psql")
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"])
            .args(["-d", &self.socket_url(database), "-c", sql]))
    }

    fn launch(&self) -> Result<(), Error> {
        let log = self.place.log();
        self.pg_ctl(|pg_ctl| {
            pg_ctl
                .arg("-l")
                .arg(&log)
                .args(["-o", &self.flags(), "start"]);
        })
        .map_err(|error| match error {
            Error::Program { program, output } => {
                let log = std::fs::read_to_string(log).unwrap_or_default();
                let lines: Vec<&str> = log.lines().collect();
                let end = lines.len().saturating_sub(8);
                let output = format!("{output}\n{}", lines[end..].join("\n"));
                Error::Program { program, output }
            }
            other => other,
        })
    }

    fn stop(&self) -> Result<(), Error> {
        self.pg_ctl(|pg_ctl| {
            pg_ctl.args(["-m", "fast", "stop"]);
        })
    }

    fn kill(&self) -> Result<(), Error> {
        let file = self.place.data().join("postmaster.pid");
        let text =
            std::fs::read_to_string(&file).map_err(Error::machine("find the running server"))?;
        let postmaster = text.lines().next().unwrap_or_default();
        run(Command::new("sh").args(["-c", KILL, "sh", postmaster]))?;
        // Where nobody collects dead processes the id in this file still answers to signals, and a
        // new server would take it for a living one.
        std::fs::remove_file(&file).map_err(Error::machine("forget the killed server"))
    }

    fn pg_ctl(&self, order: impl FnOnce(&mut Command)) -> Result<(), Error> {
        let mut command = self.programs.command("pg_ctl");
        command.arg("-D").arg(self.place.data());
        command.args(["-s", "-w", "-t", "60"]);
        order(&mut command);
        // The server inherits what `pg_ctl` has: a pipe would stay open as long as the server runs.
        let words = self.place.dir.join("pg_ctl");
        let file = std::fs::File::create(&words).map_err(Error::machine("write in the scratch"))?;
        let status = command
            .stdout(Stdio::null())
            .stderr(file)
            .status()
            .map_err(Error::machine("run pg_ctl"))?;
        if status.success() {
            return Ok(());
        }
        Err(Error::Program {
            program: "pg_ctl".to_owned(),
            output: std::fs::read_to_string(&words).unwrap_or_default(),
        })
    }

    fn flags(&self) -> String {
        let durable = if self.options.fsync { "on" } else { "off" };
        let mut flags = format!(
            "-p {} -k {} -c listen_addresses=127.0.0.1",
            self.port,
            self.place.dir.display()
        );
        for name in ["fsync", "synchronous_commit", "full_page_writes"] {
            flags.push_str(&format!(" -c {name}={durable}"));
        }
        flags.push_str(" -c shared_buffers=32MB -c max_connections=200");
        for (name, value) in &self.options.settings {
            flags.push_str(&format!(" -c {name}='{value}'"));
        }
        flags
    }
}

/// A string as an SQL literal.
pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn free_port() -> Result<u16, Error> {
    TcpListener::bind(("127.0.0.1", 0))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(Error::machine("find a free port"))
}
