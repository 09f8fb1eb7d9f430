//! One call of the protocol to a broker, whole: gate, credentials, request, answer, and what is counted and
//! written down about it.
//!
//! Each verb's file builds a request and reads the answer; this is what they share. The rule: our own
//! `Authorization` is put in here and nowhere else, and whatever stood there before is gone (defect 5 of the
//! old server: a broker without credentials got those of the platform).

use crate::auth::Presented;
use crate::exchange::{Limits, exchange};
use crate::numbers::Code;
use crate::peer::Peer;
use crate::{RelayError, RelaySettings};
use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{Request, Response, StatusCode};
use qm_model::Chain;
use quartermaster_osb::{Call, Envelope, Verb};
use std::time::Instant;
use tracing::Instrument as _;
use tracing::field::Empty;

/// The request for a call of our own.
pub(crate) fn build(
    peer: &Peer,
    call: &Call,
    envelope: &Envelope,
) -> Result<Request<Bytes>, RelayError> {
    call.request(&peer.url, envelope).map_err(|error| {
        // Its text names the field and not the value.
        RelayError::invalid(format!("the request to the {}: {error}", peer.whom))
    })
}

/// Calls a broker and returns its answer, whatever its status. `identity`: the request's own name, for traces.
pub(crate) async fn send(
    peer: &Peer,
    verb: Verb,
    identity: &str,
    request: Request<Bytes>,
    limits: (&RelaySettings, usize),
) -> Result<Response<Bytes>, RelayError> {
    // Below `info`: lines of the log have no use for it, and it would cost each call a microsecond. What
    // collects traces asks for it by its target.
    let span = tracing::debug_span!(
        "broker.call",
        otel.kind = "client",
        broker = peer.id.as_str(),
        verb = verb.as_str(),
        request_identity = identity,
        status = Empty,
    );
    let going = through(peer, verb, request, limits);
    let result = match span.is_disabled() {
        true => going.await,
        false => going.instrument(span.clone()).await,
    };
    match &result {
        Ok(answer) => {
            span.record("status", answer.status().as_u16());
            peer.numbers.ended(verb, Code::of_status(answer.status()));
        }
        Err(error) => {
            span.record("status", error.word());
            peer.numbers.ended(verb, Code::of_error(error));
            span.in_scope(|| log(error, peer, verb));
        }
    }
    result
}

async fn through(
    peer: &Peer,
    verb: Verb,
    request: Request<Bytes>,
    (settings, body_limit): (&RelaySettings, usize),
) -> Result<Response<Bytes>, RelayError> {
    let pass = peer.gate.enter().await?;
    let started = Instant::now();
    let result = deliver(peer, request, Limits::new(settings, body_limit)).await;
    peer.numbers.took(verb, started.elapsed());
    pass.leave(&result);
    result
}

/// The only place where causes are written. Calls that were sent away at the gate would drown the rest; the
/// gate has said why when it closed.
fn log(error: &RelayError, peer: &Peer, verb: Verb) {
    let chain = Chain(error);
    let (broker, verb) = (peer.id.as_str(), verb.as_str());
    match error {
        RelayError::Busy { .. } | RelayError::Open { .. } => {
            tracing::debug!(broker, verb, error = %chain, "a call to a broker was not let through");
        }
        _ => tracing::warn!(broker, verb, error = %chain, "a call to a broker failed"),
    }
}

/// Sends the request with our credentials; once more with a new token when the kept one is not taken.
async fn deliver(
    peer: &Peer,
    request: Request<Bytes>,
    limits: Limits,
) -> Result<Response<Bytes>, RelayError> {
    let Peer {
        authorization,
        client,
        whom,
        ..
    } = peer;
    let presented = authorization.present(client, &limits, None).await?;
    // Of a token that was kept, the broker may know nothing any more.
    let again = presented
        .kept
        .then(|| (request.clone(), presented.header.clone()));
    let answer = exchange(client, with(request, presented), whom, &limits).await?;
    match again {
        Some((request, refused)) if answer.status() == StatusCode::UNAUTHORIZED => {
            let presented = authorization
                .present(client, &limits, refused.as_ref())
                .await?;
            exchange(client, with(request, presented), whom, &limits).await
        }
        _ => Ok(answer),
    }
}

fn with(mut request: Request<Bytes>, presented: Presented) -> Request<Bytes> {
    let headers = request.headers_mut();
    match presented.header {
        Some(header) => drop(headers.insert(AUTHORIZATION, header)),
        None => drop(headers.remove(AUTHORIZATION)),
    }
    request
}
