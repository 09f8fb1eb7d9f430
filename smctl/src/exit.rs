//! How the program ends. Every code it can end with is written here and nowhere else.

use crate::problem::Problem;
use anyhow::Error;
use std::process::ExitCode;

/// The end of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done,
    /// Something went wrong that has no code of its own; for `verify`, something mandatory failed.
    Failed,
    /// Typed wrongly.
    Usage,
    /// The other side cannot be reached; for `verify`, it may also refuse the credentials.
    Unreachable,
    /// Nobody is logged in, or who is may not.
    Auth,
    /// It is not there.
    NotFound,
    /// It is there already, or something else is in the way.
    Conflict,
    /// The manager or the broker refused the request.
    Refused,
    /// The operation was begun and failed.
    OperationFailed,
    /// It was not done in the time given; it may still go on.
    Timeout,
    /// Stopped by a signal.
    Interrupted,
    /// The code of a program that was run (`smctl exec`).
    Of(u8),
}

impl Exit {
    /// Every end with its meaning, for what is written about it.
    pub(crate) const ALL: [(Self, &'static str); 11] = [
        (Self::Done, "done; for `verify`: nothing mandatory failed"),
        (
            Self::Failed,
            "failed without a code of its own; for `verify`: something mandatory failed; for `diff`: there is a \
             difference; for commands of the old smctl: any failure",
        ),
        (Self::Usage, "typed wrongly"),
        (
            Self::Unreachable,
            "the other side cannot be reached; for `verify` also: it refuses the credentials",
        ),
        (Self::Auth, "nobody is logged in, or who is may not"),
        (Self::NotFound, "not found"),
        (
            Self::Conflict,
            "conflict: it is there already, or something else is in the way",
        ),
        (Self::Refused, "the manager or the broker refused"),
        (Self::OperationFailed, "the operation was begun and failed"),
        (
            Self::Timeout,
            "not done in the time given; it may still go on",
        ),
        (Self::Interrupted, "interrupted"),
    ];

    /// The number a shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Unreachable => 3,
            Self::Auth => 4,
            Self::NotFound => 5,
            Self::Conflict => 6,
            Self::Refused => 7,
            Self::OperationFailed => 8,
            Self::Timeout => 9,
            Self::Interrupted => 130,
            Self::Of(code) => code,
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
pub(crate) fn report(error: &Error) -> Exit {
    if let Some(problem) = error.downcast_ref::<Problem>() {
        eprintln!("{}", problem.clone().completed().told());
        return problem.exit;
    }
    eprintln!("smctl: {error:#}");
    match error.downcast_ref::<Ends>() {
        Some(ends) => ends.exit,
        None => Exit::Failed,
    }
}
