//! What a scripted broker answers: right, wrong, late, or never.

use http::HeaderMap;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use serde_json::{Value, json};
use std::time::Duration;

/// One answer.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    pub(crate) manner: Manner,
}

/// How it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// At once.
    Now,
    /// After a while.
    Late(Duration),
    /// Never; the connection stays open until the platform closes it.
    Never,
    /// The connection is closed in the place of an answer.
    Cut,
}

impl Answer {
    /// JSON with a status.
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::raw(status, body.to_string())
    }

    /// Any bytes that are announced as JSON.
    pub(crate) fn raw(status: u16, body: impl Into<Vec<u8>>) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Self {
            status,
            headers,
            body: body.into(),
            manner: Manner::Now,
        }
    }

    /// A body that breaks off in the middle of an object.
    pub(crate) fn malformed(status: u16) -> Self {
        Self::raw(status, r#"{"dashboard_url": "http://unfinished"#)
    }

    /// An error without a reserved word.
    pub(crate) fn error(status: u16) -> Self {
        let text = format!("this broker is told to answer {status}");
        Self::json(status, &json!({ "error": "Scripted", "description": text }))
    }

    /// 422 with one of the reserved words.
    pub(crate) fn word(word: &str) -> Self {
        Self::json(
            422,
            &json!({ "error": word, "description": "as the case wants it" }),
        )
    }

    /// 202 with an operation.
    pub(crate) fn accepted(operation: &str) -> Self {
        Self::json(202, &json!({ "operation": operation }))
    }

    /// 200 with a state of an operation.
    pub(crate) fn state(state: &str) -> Self {
        Self::json(
            200,
            &json!({ "state": state, "description": "as the case wants it" }),
        )
    }

    /// Silence.
    pub(crate) fn never() -> Self {
        let mut answer = Self::error(500);
        answer.manner = Manner::Never;
        answer
    }

    /// A closed connection.
    pub(crate) fn cut() -> Self {
        let mut answer = Self::error(500);
        answer.manner = Manner::Cut;
        answer
    }

    /// The same answer after a while.
    pub(crate) fn late(mut self, after: Duration) -> Self {
        self.manner = Manner::Late(after);
        self
    }

    /// The same answer with another header; a value that HTTP cannot carry is left out.
    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(HeaderName::from_static(name), value);
        }
        self
    }

    /// Whether the platform gets this status at all.
    pub(crate) fn is_given(&self) -> bool {
        matches!(self.manner, Manner::Now | Manner::Late(_))
    }

    /// The operation it hands out.
    pub(crate) fn operation(&self) -> Option<String> {
        let body: Value = serde_json::from_slice(&self.body).ok()?;
        body.get("operation")?.as_str().map(str::to_owned)
    }
}
