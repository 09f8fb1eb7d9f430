//! What can go wrong with a scratch server, by what the caller can do about it.

use std::io;

/// A failure of the scratch server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The machine cannot run a server: skip the test, or install PostgreSQL.
    #[error("PostgreSQL is not installed: {reason}")]
    Absent {
        /// What was looked for and not found.
        reason: String,
    },
    /// A program of PostgreSQL ran and failed; its own words are here.
    #[error("{program} failed: {output}")]
    Program {
        /// The program's name.
        program: String,
        /// What it wrote, and the end of the server's log when there is one.
        output: String,
    },
    /// The machine refused something (a file, a process).
    #[error("cannot {what}")]
    Machine {
        /// What was tried.
        what: String,
        /// Why it was refused.
        source: io::Error,
    },
}

impl Error {
    /// For `map_err`: names what was tried.
    pub(super) fn machine(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Machine { what, source }
    }
}
