//! How the program ends. Every code it can end with is written here and nowhere else.

use anyhow::Error;
use std::process::ExitCode;

/// The end of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done,
    /// Done, and something mandatory failed.
    Failed,
    /// Typed wrongly.
    Usage,
    /// The other side cannot be reached or refuses the credentials.
    Unreachable,
    /// Stopped by a signal.
    Interrupted,
}

impl Exit {
    /// The number a shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Unreachable => 3,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// An error that knows how the program ends.
#[derive(Debug)]
pub(crate) struct Ends {
    pub(crate) exit: Exit,
    pub(crate) error: Error,
}

impl std::fmt::Display for Ends {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#}", self.error)
    }
}

impl std::error::Error for Ends {}

/// What was typed makes no sense.
pub(crate) fn usage(error: impl Into<Error>) -> Error {
    Ends {
        exit: Exit::Usage,
        error: error.into(),
    }
    .into()
}

/// Prints an error with its causes and says how the program ends.
pub(crate) fn report(error: &Error) -> ExitCode {
    eprintln!("smctl: {error:#}");
    match error.downcast_ref::<Ends>() {
        Some(ends) => ends.exit.into(),
        None => Exit::Failed.into(),
    }
}
