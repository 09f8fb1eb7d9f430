//! The error body and its reserved words.
//!
//! The rule (B8, B9): `error` and `description` are never empty when present, and the four reserved
//! words always travel with 422.

use crate::Extra;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The body of every answer that is not a success.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// One CamelCase word that a platform can act on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorWord>,
    /// What a person should read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Failed update or deprovision: may the instance still be used? Absent means yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance_usable: Option<bool>,
    /// Failed update: may the same update be sent again? Absent means yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update_repeatable: Option<bool>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

impl ErrorBody {
    /// A body with a description alone.
    pub fn new(description: impl Into<String>) -> Self {
        Self {
            description: Some(description.into()),
            ..Self::default()
        }
    }

    /// A body with a word a platform can act on.
    pub fn word(word: ErrorWord, description: impl Into<String>) -> Self {
        Self {
            error: Some(word),
            description: Some(description.into()),
            ..Self::default()
        }
    }
}

/// The `error` word: four are reserved, any other is the broker's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum ErrorWord {
    /// The plan works asynchronously only; send `accepts_incomplete=true`.
    AsyncRequired,
    /// Another operation on the same resource is under way.
    ConcurrencyError,
    /// The binding needs an application.
    RequiresApp,
    /// `maintenance_info.version` is not the catalog's.
    MaintenanceInfoConflict,
    /// A word of the broker's own.
    Other(String),
}

impl ErrorWord {
    /// The word as it stands on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::AsyncRequired => "AsyncRequired",
            Self::ConcurrencyError => "ConcurrencyError",
            Self::RequiresApp => "RequiresApp",
            Self::MaintenanceInfoConflict => "MaintenanceInfoConflict",
            Self::Other(word) => word,
        }
    }
}

impl From<String> for ErrorWord {
    fn from(word: String) -> Self {
        match word.as_str() {
            "AsyncRequired" => Self::AsyncRequired,
            "ConcurrencyError" => Self::ConcurrencyError,
            "RequiresApp" => Self::RequiresApp,
            "MaintenanceInfoConflict" => Self::MaintenanceInfoConflict,
            _ => Self::Other(word),
        }
    }
}

impl From<ErrorWord> for String {
    fn from(word: ErrorWord) -> Self {
        word.as_str().to_owned()
    }
}

impl fmt::Display for ErrorWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
