//! One call of the protocol to a broker, whole: gate, credentials, request, answer, and what is written down
//! about it.
//!
//! Each verb's file builds a [`Call`] and reads the answer; this is what they share. The rule: the headers
//! are those of the protocol and our own `Authorization`; nothing that a caller of ours sent gets here.

use crate::auth::Presented;
use crate::exchange::{Limits, exchange};
use crate::peer::Peer;
use crate::{RelayError, RelaySettings, meter};
use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{Request, Response, StatusCode};
use qm_model::Chain;
use quartermaster_osb::{Call, Envelope};
use std::time::Instant;
use tracing::Instrument as _;
use tracing::field::Empty;

/// Calls a broker and returns its answer, whatever its status.
pub(crate) async fn send(
    peer: &Peer,
    call: &Call,
    envelope: &Envelope,
    settings: &RelaySettings,
    body_limit: usize,
) -> Result<Response<Bytes>, RelayError> {
    let verb = call.verb();
    let request = call.request(&peer.url, envelope).map_err(|error| {
        // Its text names the field and not the value.
        RelayError::invalid(format!("the request to the {}: {error}", peer.whom))
    })?;
    let span = tracing::info_span!(
        "broker.call",
        otel.kind = "client",
        broker = %peer.id,
        verb = verb.as_str(),
        request_identity = envelope.request_identity.as_deref(),
        status = Empty,
    );
    let done = async {
        let pass = peer.gate.enter().await?;
        let started = Instant::now();
        let result = deliver(peer, request, Limits::new(settings, body_limit)).await;
        meter::took(&peer.id, verb, started.elapsed());
        pass.leave(&result);
        result
    };
    let result = done.instrument(span.clone()).await;
    match &result {
        Ok(answer) => {
            let status = answer.status();
            span.record("status", status.as_u16());
            meter::request(&peer.id, verb, status.as_str());
        }
        Err(error) => {
            span.record("status", error.word());
            meter::request(&peer.id, verb, error.word());
            span.in_scope(|| log(error));
        }
    }
    result
}

/// The only place where causes are written. Calls that were sent away at the gate would drown the rest; the
/// gate has said why when it closed.
fn log(error: &RelayError) {
    let chain = Chain(error);
    match error {
        RelayError::Busy { .. } | RelayError::Open { .. } => {
            tracing::debug!(error = %chain, "a call to a broker was not let through");
        }
        _ => tracing::warn!(error = %chain, "a call to a broker failed"),
    }
}

/// Sends the request with our credentials; once more with a new token when the kept one is not taken.
async fn deliver(
    peer: &Peer,
    request: Request<Bytes>,
    limits: Limits,
) -> Result<Response<Bytes>, RelayError> {
    let presented = peer
        .authorization
        .present(&peer.client, &limits, None)
        .await?;
    let again = presented.kept.then(|| request.clone());
    let refused = presented.header.clone();
    let answer = exchange(&peer.client, with(request, presented), &peer.whom, &limits).await?;
    match (again, refused) {
        (Some(request), Some(refused)) if answer.status() == StatusCode::UNAUTHORIZED => {
            let presented = peer
                .authorization
                .present(&peer.client, &limits, Some(&refused))
                .await?;
            exchange(&peer.client, with(request, presented), &peer.whom, &limits).await
        }
        _ => Ok(answer),
    }
}

fn with(mut request: Request<Bytes>, presented: Presented) -> Request<Bytes> {
    if let Some(header) = presented.header {
        request.headers_mut().insert(AUTHORIZATION, header);
    }
    request
}
