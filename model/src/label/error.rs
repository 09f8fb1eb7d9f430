//! Why a label or a label change was not taken. All of it is the caller's to mend.
//!
//! The rule: values are not echoed; they may be long, and they are the owner's.

use super::{LabelOp, MAX_LABEL};
use crate::Error;

/// A label or a change that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LabelError {
    /// A key without a character.
    #[error("the key of a label must not be empty")]
    EmptyKey,
    /// A key that is too long.
    #[error("the key of a label must not be longer than {MAX_LABEL} bytes: `{start}…`")]
    LongKey {
        /// How it begins.
        start: String,
    },
    /// A key that no query could name.
    #[error("the key of a label must not hold white space or control characters: {key:?}")]
    KeyCharacter {
        /// The key.
        key: String,
    },
    /// A value that is too long.
    #[error("a value of label `{key}` is longer than {MAX_LABEL} bytes")]
    LongValue {
        /// The key.
        key: String,
    },
    /// A value with a line break or NUL in it.
    #[error("a value of label `{key}` holds a line break or NUL")]
    ValueCharacter {
        /// The key.
        key: String,
    },
    /// A change that adds or removes no values.
    #[error("label change `{op}` of `{key}` needs values")]
    ValuesMissing {
        /// The operation.
        op: LabelOp,
        /// The key.
        key: String,
    },
    /// A change without an operation.
    #[error("a label change needs an `op`, one of {}", LabelOp::words())]
    MissingOp,
    /// A change with an operation that nobody knows.
    #[error("label operation `{}` is unknown; there are {}", .found.escape_debug(), LabelOp::words())]
    UnknownOp {
        /// The word, at most forty characters of it.
        found: String,
    },
}

impl From<LabelError> for Error {
    fn from(error: LabelError) -> Self {
        Self::invalid(error.to_string())
    }
}
