//! Where the store is and how it is used. [`Db::open`](crate::Db::open) takes it.
//!
//! The rule that keeps it right: an address that cannot be understood is refused here, with words
//! that do not repeat a password, and every knob has a default that is right for a server.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use crate::error::Error;

/// Where the store is and how it is used.
#[derive(Clone)]
pub struct Options {
    pub(crate) target: Target,
    pub(crate) readers: usize,
    pub(crate) busy_timeout: Duration,
}

#[derive(Clone)]
pub(crate) enum Target {
    Memory,
    File(PathBuf),
}

impl Options {
    /// Understands `sqlite:PATH`, `sqlite::memory:` and a plain path.
    ///
    /// # Errors
    /// [`Error::Options`] says what is wrong with the address.
    pub fn parse(address: &str) -> Result<Self, Error> {
        Ok(Self {
            target: target(address)?,
            readers: 3,
            busy_timeout: Duration::from_secs(5),
        })
    }

    /// SQLite: how many threads read. Default 3.
    #[must_use]
    pub fn readers(mut self, readers: usize) -> Self {
        self.readers = readers.max(1);
        self
    }

    /// How long to wait for another process that writes to the same file. Default 5 seconds.
    #[must_use]
    pub fn busy_timeout(mut self, timeout: Duration) -> Self {
        self.busy_timeout = timeout;
        self
    }
}

fn target(address: &str) -> Result<Target, Error> {
    let wrong = |what: &str| Error::Options {
        what: what.to_owned(),
    };
    let path = match address.split_once(':') {
        Some(("sqlite", rest)) => rest.strip_prefix("//").unwrap_or(rest),
        Some((scheme, rest)) if rest.starts_with("//") => {
            return Err(wrong(&format!(
                "{scheme}: is neither sqlite: nor postgres:"
            )));
        }
        _ => address,
    };
    match path {
        "" => Err(wrong("it names no file")),
        ":memory:" => Ok(Target::Memory),
        path => Ok(Target::File(PathBuf::from(path))),
    }
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
            Target::Memory => out.field("target", &":memory:"),
            Target::File(path) => out.field("target", path),
        };
        out.finish_non_exhaustive()
    }
}
