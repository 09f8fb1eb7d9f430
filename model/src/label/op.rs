//! The operations of a label change by their words.

use super::LabelError;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// What a change does to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelOp {
    /// Adds the values, or the empty one if there are none.
    Add,
    /// Adds the values, which must be there.
    AddValues,
    /// Removes the values, or the whole key if there are none.
    Remove,
    /// Removes the values, which must be there.
    RemoveValues,
    /// Sets exactly these values; the key goes if there are none. Not known to the old server.
    Replace,
}

impl LabelOp {
    /// Every operation, in the order in which messages name them.
    pub const ALL: [Self; 5] = [
        Self::Add,
        Self::AddValues,
        Self::Remove,
        Self::RemoveValues,
        Self::Replace,
    ];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::AddValues => "add_values",
            Self::Remove => "remove",
            Self::RemoveValues => "remove_values",
            Self::Replace => "replace",
        }
    }

    /// Whether a change without values means nothing.
    pub fn needs_values(self) -> bool {
        matches!(self, Self::AddValues | Self::RemoveValues)
    }

    /// All words, for messages.
    pub(super) fn words() -> String {
        Self::ALL.map(Self::as_str).join(", ")
    }
}

impl fmt::Display for LabelOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for LabelOp {
    type Err = LabelError;

    fn from_str(word: &str) -> Result<Self, LabelError> {
        let op = Self::ALL.into_iter().find(|op| op.as_str() == word);
        op.ok_or_else(|| LabelError::UnknownOp {
            found: word.chars().take(40).collect(),
        })
    }
}

impl Serialize for LabelOp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
