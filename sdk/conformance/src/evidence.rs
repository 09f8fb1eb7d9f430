//! What was sent, what came back, what was expected.
//!
//! Made by `client` for each call and attached to findings by cases; printed by smctl. Everything here is
//! already starred (see `redact`).

use serde::{Serialize, Serializer};
use std::sync::Arc;

/// One call and what became of it.
#[derive(Debug, Clone, Serialize)]
pub struct Exchange {
    /// The request.
    pub sent: Sent,
    /// The answer, or why there is none.
    pub received: Received,
    /// How long it took.
    pub millis: u64,
}

/// A request as it may be shown.
#[derive(Debug, Clone, Serialize)]
pub struct Sent {
    /// `GET`, `PUT`, ...
    pub method: String,
    /// Path and query, below the broker's URL.
    pub path: String,
    /// Headers, credentials starred.
    pub headers: Vec<(String, String)>,
    /// The body, secrets starred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// What came back.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Received {
    /// An answer as it may be shown.
    Answer {
        /// The status.
        status: u16,
        /// Headers.
        headers: Vec<(String, String)>,
        /// The body, secrets starred.
        #[serde(skip_serializing_if = "Option::is_none")]
        body: Option<String>,
    },
    /// No whole answer.
    Nothing {
        /// Why.
        reason: String,
    },
}

/// Something the case did not expect.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// What the specification wants here.
    pub expected: String,
    /// What was seen, in one line.
    pub seen: String,
    /// The call that shows it.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shared_one")]
    pub exchange: Option<Arc<Exchange>>,
}

impl Received {
    /// The status, when there is an answer.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Answer { status, .. } => Some(*status),
            Self::Nothing { .. } => None,
        }
    }

    /// One line: status and body, or the reason of silence.
    pub fn line(&self) -> String {
        match self {
            Self::Answer { status, body, .. } => match body {
                Some(body) => format!("{status} {}", shorten(body, 200)),
                None => format!("{status} with an empty body"),
            },
            Self::Nothing { reason } => reason.clone(),
        }
    }
}

/// The first `limit` characters of a text, on one line.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.chars().count() <= limit {
        return flat;
    }
    let mut short: String = flat.chars().take(limit).collect();
    short.push('…');
    short
}

/// An exchange is shared by findings and evidence; in JSON each gets its own copy.
fn shared_one<S: Serializer>(
    exchange: &Option<Arc<Exchange>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    exchange.as_deref().serialize(serializer)
}

/// The same for a list.
pub(crate) fn shared_list<S: Serializer>(
    exchanges: &[Arc<Exchange>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(exchanges.iter().map(Arc::as_ref))
}
