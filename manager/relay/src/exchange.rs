//! One request and its whole answer, within limits of time and size.
//!
//! Calls to brokers, to their token endpoints and to issuers all go through here. The rule: it ends by the
//! deadline whatever the other side does, and keeps no more of an answer than the limit.

mod explain;

use crate::client::HttpClient;
use crate::{RelayError, RelaySettings};
use bytes::Bytes;
use http::header::CONTENT_LENGTH;
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// No exchange lasts longer, whatever the settings say: the clock's arithmetic ends somewhere.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// What an exchange may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Until the head of the answer.
    head: Duration,
    /// Until the end of its body, counted from when the limits were made.
    total: Duration,
    /// The moment when that is over.
    pub(crate) deadline: Instant,
    /// Bytes of the body.
    body: usize,
}

impl Limits {
    /// The time starts to run now.
    pub(crate) fn new(settings: &RelaySettings, body: usize) -> Self {
        let total = settings.total_timeout.min(LONGEST);
        Self {
            head: settings.header_timeout.min(total),
            total,
            deadline: Instant::now() + total,
            body,
        }
    }

    /// The same time, another size.
    pub(crate) fn with_body(self, body: usize) -> Self {
        Self { body, ..self }
    }
}

/// Sends a request and reads the whole answer. `whom` is for messages: `service broker at https://...`.
pub(crate) async fn exchange(
    client: &HttpClient,
    request: Request<Bytes>,
    whom: &str,
    limits: &Limits,
) -> Result<Response<Bytes>, RelayError> {
    let plain = crate::url::is_plain(request.uri());
    let sending = client.request(request.map(Full::new));
    let by = limits.deadline.min(Instant::now() + limits.head);
    let answer = match timeout_at(by, sending).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => return Err(explain::sending(error, whom, plain)),
        Err(_) => return Err(silent(whom, limits)),
    };
    let (head, body) = answer.into_parts();
    let success = head.status.is_success();
    match timeout_at(limits.deadline, collect(&head.headers, body, limits.body)).await {
        Ok(Ok(body)) => Ok(Response::from_parts(head, body)),
        // Of an answer that says no, the status is enough.
        Ok(Err(Broken::TooLarge)) if !success => Ok(Response::from_parts(head, Bytes::new())),
        Ok(Err(Broken::TooLarge)) => Err(RelayError::undecodable(format!(
            "the answer of the {whom} is larger than {} bytes, the most that is read",
            limits.body
        ))),
        Ok(Err(Broken::Off(cause))) => Err(RelayError::Lost {
            message: format!("the {whom} broke its answer off half way; ask it again"),
            source: Some(cause),
        }),
        Err(_) => Err(RelayError::Slow {
            message: format!(
                "the {whom} began to answer and did not come to an end within {:?}",
                limits.total
            ),
        }),
    }
}

fn silent(whom: &str, limits: &Limits) -> RelayError {
    RelayError::Lost {
        message: format!(
            "the {whom} did not answer within {:?}; it hangs or is overloaded",
            limits.head
        ),
        source: None,
    }
}

enum Broken {
    TooLarge,
    Off(crate::error::Cause),
}

async fn collect(headers: &HeaderMap, body: Incoming, limit: usize) -> Result<Bytes, Broken> {
    let told = headers.get(CONTENT_LENGTH);
    let told = told.and_then(|told| told.to_str().ok()?.parse::<usize>().ok());
    if told.is_some_and(|told| told > limit) {
        return Err(Broken::TooLarge);
    }
    match Limited::new(body, limit).collect().await {
        Ok(whole) => Ok(whole.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Broken::TooLarge),
        Err(error) => Err(Broken::Off(error)),
    }
}
