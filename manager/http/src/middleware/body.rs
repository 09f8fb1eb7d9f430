//! Holds a body to its size and its time, whoever reads it and however. A length that is announced is believed and
//! refused at once, one that is not is counted while it comes.
//!
//! The rule: a request whose body does not come keeps its place among the others only for a moment, and the bodies that
//! one address lets us wait for are a part of all places and never all of them.

mod arriving;
mod share;

pub(crate) use arriving::TooSlow;

use crate::middleware::request::Circumstances;
use crate::{Failure, HttpSettings};
use arriving::Arriving;
use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::header::CONTENT_LENGTH;
use share::Shares;
use std::sync::Arc;

/// One address may keep this part of all places waiting for bodies.
const PART: usize = 4;

/// How bodies are held.
pub(super) struct Bodies {
    limit: usize,
    shares: Arc<Shares>,
}

impl Bodies {
    pub(super) fn new(settings: &HttpSettings) -> Self {
        Self {
            limit: settings.max_body_bytes,
            shares: Arc::new(Shares::new((settings.max_in_flight / PART).max(1))),
        }
    }
}

pub(super) fn hold(bodies: &Bodies, request: Request) -> Result<Request, Response> {
    // Most requests have none.
    if request.body().is_end_stream() {
        return Ok(request);
    }
    let Bodies { limit, shares } = bodies;
    let announced = request.headers().get(CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > *limit as u64) {
        return Err(Failure::too_large(*limit).into_response());
    }
    let from = request.extensions().get::<Circumstances>();
    let from = from.map_or("", |circumstances| circumstances.remote.as_str());
    let Some(share) = Shares::take(shares, from) else {
        return Err(Failure::too_busy().into_response());
    };
    Ok(request.map(|body| Body::new(Arriving::new(body, *limit, share))))
}
