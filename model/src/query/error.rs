//! Why a query was not taken: where, what was found, what was expected. All of it is the caller's to mend.
//!
//! The rule: what is echoed is short and has no control characters, so a message fits a log line.

use super::{ColumnKind, Operator};
use crate::Error;
use std::fmt;

/// A query that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{part}, column {column}: {problem}")]
pub struct QueryError {
    /// In which of the two texts.
    pub part: Part,
    /// At which character of it, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// One of the two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// `fieldQuery`.
    Field,
    /// `labelQuery`.
    Label,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The text has more bytes than [`super::MAX_TEXT`].
    TooLong,
    /// There are more criteria than [`super::MAX_CRITERIA`].
    TooManyCriteria,
    /// A list has more values than [`super::MAX_VALUES`].
    TooManyValues,
    /// Something else was expected.
    Unexpected {
        /// What stands there.
        found: String,
        /// What could.
        expected: String,
    },
    /// No such field may be asked for.
    UnknownField {
        /// The field.
        name: String,
        /// Those that may.
        known: Vec<&'static str>,
    },
    /// A path below a column that has no parts.
    NotJson {
        /// The column.
        field: &'static str,
        /// What it holds.
        kind: ColumnKind,
    },
    /// A path with nothing between two slashes, or after the last.
    EmptyStep {
        /// The column.
        field: &'static str,
    },
    /// The operator means nothing for what the column holds.
    Unsuited {
        /// The operator.
        operator: Operator,
        /// The column.
        field: &'static str,
        /// What it holds.
        kind: ColumnKind,
    },
    /// A label is asked for twice.
    DuplicateLabel {
        /// Its key.
        key: String,
    },
}

impl QueryError {
    pub(super) fn new(part: Part, column: usize, problem: Problem) -> Self {
        Self {
            part,
            column,
            problem,
        }
    }
}

impl Part {
    /// The name of the parameter that carries it.
    pub fn parameter(self) -> &'static str {
        match self {
            Self::Field => "fieldQuery",
            Self::Label => "labelQuery",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.parameter())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "the text is longer than {} bytes", super::MAX_TEXT),
            Self::TooManyCriteria => write!(f, "more than {} criteria", super::MAX_CRITERIA),
            Self::TooManyValues => write!(f, "more than {} values in a list", super::MAX_VALUES),
            Self::Unexpected { found, expected } => write!(f, "found {found}, expected {expected}"),
            Self::UnknownField { name, known } if known.is_empty() => {
                write!(f, "there is no field `{name}`; none may be asked for here")
            }
            Self::UnknownField { name, known } => write!(
                f,
                "there is no field `{name}` to ask for; there are {}",
                known.join(", ")
            ),
            Self::NotJson { field, kind } => {
                write!(
                    f,
                    "field `{field}` holds {kind}, so no path leads below it; JSON has paths"
                )
            }
            Self::EmptyStep { field } => {
                write!(f, "the path below field `{field}` has an empty step")
            }
            Self::Unsuited {
                operator,
                field,
                kind,
            } => {
                let wanted = match operator {
                    Operator::Contains => "text or JSON",
                    _ => "whole numbers or times",
                };
                write!(
                    f,
                    "`{operator}` is for fields with {wanted}; field `{field}` holds {kind}"
                )
            }
            Self::DuplicateLabel { key } => write!(f, "label `{key}` is asked for twice"),
        }
    }
}

/// The old server answers `BadRequest`, and so do we; the published words never reached a client.
impl From<QueryError> for Error {
    fn from(error: QueryError) -> Self {
        Self::invalid(error.to_string())
    }
}

/// At most forty characters of a text, none of them a control character.
pub(super) fn excerpt(text: &str) -> String {
    let mut short = String::new();
    for (at, letter) in text.chars().enumerate() {
        if at == 40 {
            short.push('…');
            break;
        }
        if letter.is_control() {
            short.extend(letter.escape_default());
        } else {
            short.push(letter);
        }
    }
    short
}
