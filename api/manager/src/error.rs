//! The body of every answer that is no success.
//!
//! The doors make it from the model's errors. The rule: `error` is one of the words clients know
//! ([`word`]), `description` is for people and never holds a secret.

pub mod word;

use crate::Secret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What went wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// One word for programs, as in `NotFound`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "NotFound")]
    pub error: Option<String>,
    /// What happened, why, and what to do next, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Finds the request in logs, traces and the audit log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
    /// What the broker said, when it is the broker that refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BrokerError>)]
    pub broker_error: Option<Secret<BrokerError>>,
}

impl ErrorBody {
    /// A word and a description.
    pub fn new(word: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            error: Some(word.into()),
            description: Some(description.into()),
            correlation_id: None,
            broker_error: None,
        }
    }
}

/// What a broker said. The names are those that Go clients decode; `ResponseError` must not be sent. It may hold
/// anything, a password too, so it is sent to who may see it and never printed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BrokerError {
    /// Its HTTP status.
    #[serde(rename = "StatusCode", default)]
    #[schema(required = true)]
    pub status_code: u16,
    /// Its error word.
    #[serde(
        rename = "ErrorMessage",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub error_message: Option<String>,
    /// Its description.
    #[serde(
        rename = "Description",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub description: Option<String>,
}
