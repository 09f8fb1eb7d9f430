//! Ends a caller's wait. Deeds run on tasks of their own, so what was begun goes on and is not cut half
//! way; the caller is told to look before it repeats. At an OSB door a platform waits longer than the broker may
//! take, so that it hears what the broker said.

use crate::{Failure, HttpSettings, osb};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use std::future::Future;
use std::time::Duration;

/// How long the caller of a request waits.
pub(super) fn of(settings: &HttpSettings, request: &Request) -> Duration {
    if osb::is_door(request.uri().path()) {
        settings.door_timeout
    } else {
        settings.request_timeout
    }
}

pub(super) async fn within<E>(
    wait: Duration,
    answering: impl Future<Output = Result<Response, E>>,
) -> Result<Response, E> {
    match tokio::time::timeout(wait, answering).await {
        Ok(response) => response,
        Err(_) => Ok(Failure::timeout().into_response()),
    }
}
