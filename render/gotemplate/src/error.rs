//! What can go wrong, by what the caller can do about it: mend the template (`Parse`), mend the
//! template or its data (`Execute`), or allow more (`Limit`). The texts are Go's.

use std::sync::Arc;

/// Where in a template something went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The name of the text that was parsed.
    pub template: Arc<str>,
    /// Line, from 1.
    pub line: usize,
    /// Bytes before the place in its line, when known.
    pub column: Option<usize>,
}

/// Why there is no output.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The text is no template.
    #[error("{text}")]
    Parse {
        /// The whole message.
        text: String,
        /// Where.
        location: Location,
    },
    /// The template could not be applied to its data.
    #[error("{text}")]
    Execute {
        /// The whole message.
        text: String,
        /// Where, when it was inside a template.
        location: Option<Location>,
    },
    /// It would have taken more than was allowed.
    #[error("{text}")]
    Limit {
        /// What was reached.
        limit: Limit,
        /// The whole message.
        text: String,
        /// Where, when known.
        location: Option<Location>,
    },
}

impl Error {
    /// Where it happened, when known.
    #[must_use]
    pub fn location(&self) -> Option<&Location> {
        match self {
            Self::Parse { location, .. } => Some(location),
            Self::Execute { location, .. } | Self::Limit { location, .. } => location.as_ref(),
        }
    }
}

/// A bound of [`Limits`](crate::Limits) that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Nested expressions, and functions that render, together.
    Depth,
    /// Templates that call templates.
    Calls,
    /// Steps.
    Steps,
    /// Bytes written.
    Output,
    /// Bytes of one value.
    Value,
    /// Bytes of all values made.
    Memory,
    /// Time.
    Deadline,
}
