//! Where the store is and how it is used. [`Db::open`](crate::Db::open) takes it.
//!
//! The rule that keeps it right: an address that cannot be understood is refused here, with words
//! that do not repeat a password, and every knob has a default that is right for a server.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use crate::dialect::Dialect;
use crate::error::Error;
use crate::postgres::tls::{Tls, Wish};

/// Where the store is and how it is used.
#[derive(Clone)]
pub struct Options {
    pub(crate) target: Target,
    pub(crate) readers: usize,
    pub(crate) busy_timeout: Duration,
    pub(crate) connections: usize,
    pub(crate) threads: usize,
    pub(crate) statement_timeout: Duration,
    pub(crate) isolation: Isolation,
}

#[derive(Clone)]
pub(crate) enum Target {
    /// A file, or without one a database in memory.
    Sqlite(Option<PathBuf>),
    Postgres(Box<Server>),
}

#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) config: tokio_postgres::Config,
    pub(crate) tls: Tls,
}

/// What transactions on PostgreSQL see of each other. SQLite has one writer at a time and is
/// always serializable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// As if one ran after the other, as on SQLite. The default.
    Serializable,
    /// One state for the whole transaction, and no lost update; but two transactions may each
    /// read what the other writes. Cheaper where many meet.
    Snapshot,
}

impl Options {
    /// Understands `postgres://...` (also `postgresql://`), `sqlite:PATH`, `sqlite::memory:` and a
    /// plain path. An address of PostgreSQL may carry `sslmode` and `sslrootcert`.
    ///
    /// # Errors
    /// [`Error::Options`] says what is wrong with the address.
    pub fn parse(address: &str) -> Result<Self, Error> {
        Ok(Self {
            target: target(address)?,
            readers: 3,
            busy_timeout: Duration::from_secs(5),
            connections: 16,
            threads: 2,
            statement_timeout: Duration::from_secs(30),
            isolation: Isolation::Serializable,
        })
    }

    /// Which engine the address names.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        match self.target {
            Target::Sqlite(_) => Dialect::Sqlite,
            Target::Postgres(_) => Dialect::Postgres,
        }
    }

    /// SQLite: how many threads read. Default 3.
    #[must_use]
    pub fn readers(mut self, readers: usize) -> Self {
        self.readers = readers.max(1);
        self
    }

    /// SQLite: how long to wait for another process that writes to the same file. Default 5
    /// seconds.
    #[must_use]
    pub fn busy_timeout(mut self, timeout: Duration) -> Self {
        self.busy_timeout = timeout;
        self
    }

    /// PostgreSQL: how many connections at most. One more is opened when a combiner is used,
    /// and one when a script reads. Default 16.
    #[must_use]
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections.max(1);
        self
    }

    /// PostgreSQL: how many threads drive the connections. Default 2.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// PostgreSQL: how long one statement may take. Default 30 seconds.
    #[must_use]
    pub fn statement_timeout(mut self, timeout: Duration) -> Self {
        self.statement_timeout = timeout;
        self
    }

    /// PostgreSQL: what transactions see of each other. Default [`Isolation::Serializable`].
    #[must_use]
    pub fn isolation(mut self, isolation: Isolation) -> Self {
        self.isolation = isolation;
        self
    }
}

fn target(address: &str) -> Result<Target, Error> {
    let path = match address.split_once(':') {
        Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => {
            return Ok(Target::Postgres(Box::new(server(address)?)));
        }
        Some(("sqlite", rest)) => rest.strip_prefix("//").unwrap_or(rest),
        Some((scheme, rest)) if rest.starts_with("//") => {
            return Err(wrong(format!("{scheme}: is neither sqlite: nor postgres:")));
        }
        _ => address,
    };
    match path {
        "" => Err(wrong("it names no file")),
        ":memory:" => Ok(Target::Sqlite(None)),
        path => Ok(Target::Sqlite(Some(PathBuf::from(path)))),
    }
}

/// The driver knows neither `sslrootcert` nor the modes that check a certificate, so both are
/// taken out before it reads the rest.
fn server(address: &str) -> Result<Server, Error> {
    let (base, query) = address.split_once('?').unwrap_or((address, ""));
    let mut wish = Wish::default();
    let mut rest = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("sslmode", mode)) => wish.mode = Some(mode),
            Some(("sslrootcert", file)) => wish.root = Some(file),
            _ => rest.push(pair),
        }
    }
    let (mode, tls) = wish.ready()?;
    let base = if rest.is_empty() {
        base.to_owned()
    } else {
        format!("{base}?{}", rest.join("&"))
    };
    // The driver's text names the key that it does not understand, never a value.
    let mut config: tokio_postgres::Config =
        base.parse().map_err(|error: tokio_postgres::Error| {
            let cause = std::error::Error::source(&error)
                .map(ToString::to_string)
                .unwrap_or_default();
            wrong(format!("{error}: {cause}"))
        })?;
    if config.get_hosts().is_empty() {
        return Err(wrong("it names no host"));
    }
    config.ssl_mode(mode);
    Ok(Server { config, tls })
}

fn wrong(what: impl Into<String>) -> Error {
    Error::Options { what: what.into() }
}

impl FromStr for Options {
    type Err = Error;

    fn from_str(address: &str) -> Result<Self, Error> {
        Self::parse(address)
    }
}

/// Without the password that an address may hold.
impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Options");
        match &self.target {
            Target::Sqlite(file) => out.field("file", file),
            Target::Postgres(server) => {
                let config = &server.config;
                out.field("hosts", &config.get_hosts())
                    .field("ports", &config.get_ports())
                    .field("database", &config.get_dbname())
                    .field("user", &config.get_user())
            }
        };
        out.finish_non_exhaustive()
    }
}
