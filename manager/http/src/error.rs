//! A refusal on its way out: what the caller is answered, and what the log is told beside it.
//!
//! Handlers and layers return a [`Failure`]; the `request` layer writes its body, because only there the
//! correlation id is known. The rule: the description is safe to send, the cause is for the log alone.

pub(crate) mod answer;
mod table;

use http::{HeaderName, HeaderValue, StatusCode};
use qm_manager_api::{BrokerError, Secret};

/// An answer that is no success.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The HTTP status.
    pub(crate) status: StatusCode,
    /// The `error` word on the wire.
    pub(crate) word: &'static str,
    /// What happened and what to do, for people.
    pub(crate) description: String,
    /// Headers that belong to the status.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    /// What the broker said, for the caller alone. Boxed: few failures have it, and all are returned by value.
    pub(crate) broker_error: Option<Box<Secret<BrokerError>>>,
    /// What was behind it, for the log.
    pub(crate) cause: Option<String>,
}

impl Failure {
    /// An answer with a status, a word and a description.
    pub fn new(status: StatusCode, word: &'static str, description: impl Into<String>) -> Self {
        Self {
            status,
            word,
            description: description.into(),
            headers: Vec::new(),
            broker_error: None,
            cause: None,
        }
    }

    /// The same with a header.
    #[must_use]
    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The same with something for the log.
    #[must_use]
    pub(crate) fn with_cause(mut self, cause: impl Into<String>) -> Self {
        self.cause = Some(cause.into());
        self
    }
}
