//! A point in time, as text.
//!
//! Whoever fills a shape has formatted it already. The rule: never an empty text, because smctl parses
//! the times of an operation strictly and fails the whole command; what has no time is [`Timestamp::ZERO`].

use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt};
use utoipa::ToSchema;

/// RFC 3339 in UTC. `0001-01-01T00:00:00Z` means never.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(from = "String")]
#[schema(value_type = String, format = DateTime, example = "2024-05-01T10:00:00.123456Z")]
pub struct Timestamp(Cow<'static, str>);

impl Timestamp {
    /// Never.
    pub const ZERO: Self = Self(Cow::Borrowed("0001-01-01T00:00:00Z"));

    /// A time that is formatted already. An empty text is [`Timestamp::ZERO`].
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() {
            Self::ZERO
        } else {
            Self(Cow::Owned(text))
        }
    }

    /// As written on the wire.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it means never.
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }
}

impl Default for Timestamp {
    fn default() -> Self {
        Self::ZERO
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for Timestamp {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&str> for Timestamp {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}
