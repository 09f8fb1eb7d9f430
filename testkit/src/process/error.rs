//! What can go wrong with a program under test.

use std::io;
use std::path::PathBuf;

/// A failure to run a program.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The executable is not where cargo puts it: build it first.
    #[error("no executable {} (build it: {build})", path.display())]
    NotBuilt {
        /// Where it was looked for.
        path: PathBuf,
        /// The command that makes it.
        build: String,
    },
    /// The machine refused to start it.
    #[error("cannot start {program}")]
    NotStarted {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// It did not print `listening on http://ADDR`.
    #[error("{program} is not ready ({status}); it wrote:\n{output}")]
    NotReady {
        /// The program.
        program: String,
        /// Its exit status, or that it still runs.
        status: String,
        /// What it wrote.
        output: String,
    },
    /// A signal could not be sent; most likely the program has ended.
    #[error("cannot send SIG{signal} to {program}: it does not run")]
    NotSignalled {
        /// The program.
        program: String,
        /// The signal.
        signal: String,
    },
    /// It was asked to end and did not.
    #[error("{program} does not end; it wrote:\n{output}")]
    NotEnded {
        /// The program.
        program: String,
        /// What it wrote.
        output: String,
    },
}
