//! An answer with the questions cases ask of it.
//!
//! Each question that fails makes a finding that carries the exchange, so a case is a list of questions.

use crate::Finding;
use crate::evidence::Exchange;
use crate::verdict::{Check, Stop};
use bytes::Bytes;
use http::HeaderMap;
use serde_json::{Map, Value};
use std::sync::Arc;

/// An answer.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// The body read as JSON.
    pub(crate) json: Option<Value>,
    pub(crate) exchange: Arc<Exchange>,
}

impl Reply {
    pub(super) fn new(
        status: u16,
        headers: HeaderMap,
        body: Bytes,
        exchange: Arc<Exchange>,
    ) -> Self {
        let json = serde_json::from_slice(&body).ok();
        Self {
            status,
            headers,
            body,
            json,
            exchange,
        }
    }

    /// A finding about this answer.
    pub(crate) fn finding(&self, expected: impl Into<String>) -> Finding {
        self.seen(expected, self.exchange.received.line())
    }

    /// A finding about this answer with words for what was seen.
    pub(crate) fn seen(&self, expected: impl Into<String>, seen: impl Into<String>) -> Finding {
        Finding {
            expected: expected.into(),
            seen: seen.into(),
            exchange: Some(Arc::clone(&self.exchange)),
        }
    }

    /// A stop with a finding about this answer.
    pub(crate) fn fail(&self, expected: impl Into<String>) -> Stop {
        Stop::Failed(vec![self.finding(expected)])
    }

    /// A stop with words for what was seen.
    pub(crate) fn fail_seen(&self, expected: impl Into<String>, seen: impl Into<String>) -> Stop {
        Stop::Failed(vec![self.seen(expected, seen)])
    }

    /// Fails unless the condition holds.
    pub(crate) fn ensure(&self, holds: bool, expected: impl Into<String>) -> Check {
        if holds {
            Ok(())
        } else {
            Err(self.fail(expected))
        }
    }

    /// The status is one of these.
    pub(crate) fn status_in(&self, statuses: &[u16], why: &str) -> Check {
        let codes: Vec<String> = statuses.iter().map(u16::to_string).collect();
        let expected = format!("{} ({why})", codes.join(" or "));
        self.ensure(statuses.contains(&self.status), expected)
    }

    /// The broker refuses: any 4xx.
    pub(crate) fn refused(&self, why: &str) -> Check {
        self.ensure(self.is_refusal(), format!("a 4xx ({why})"))
    }

    /// Anything but a 5xx.
    pub(crate) fn not_5xx(&self, why: &str) -> Check {
        self.ensure(self.status < 500, format!("anything but a 5xx ({why})"))
    }

    /// A 422 with this reserved word.
    pub(crate) fn word_422(&self, word: &str, why: &str) -> Check {
        self.ensure(
            self.status == 422 && self.word() == Some(word),
            format!("422 with the error word {word} ({why})"),
        )
    }

    pub(crate) fn is_refusal(&self) -> bool {
        (400..500).contains(&self.status)
    }

    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// A 422 with ConcurrencyError.
    pub(crate) fn is_busy(&self) -> bool {
        self.status == 422 && self.word() == Some("ConcurrencyError")
    }

    /// The body as an object.
    pub(crate) fn object(&self) -> Result<&Map<String, Value>, Stop> {
        self.json
            .as_ref()
            .and_then(Value::as_object)
            .ok_or_else(|| self.fail("a JSON object as body"))
    }

    /// A field of the body.
    pub(crate) fn field(&self, name: &str) -> Option<&Value> {
        self.json
            .as_ref()?
            .get(name)
            .filter(|value| !value.is_null())
    }

    /// A text field of the body.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.field(name)?.as_str()
    }

    /// The error word.
    pub(crate) fn word(&self) -> Option<&str> {
        self.text("error")
    }

    /// The operation string.
    pub(crate) fn operation(&self) -> Option<&str> {
        self.text("operation")
    }

    /// A header as text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}
