//! Answers that are successes: 200 and 201 with a body, 202 with `{}` and a `Location`.
//!
//! The rule: `Location` is a path without a host. smctl puts its own before it, and others match it from its
//! first character.

use super::Encode;
use crate::Failure;
use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use qm_lifecycle::{Done, Mode, Shown};
use qm_manager_api::{Empty, path};
use qm_model::operation::Operation;
use serde::Serialize;

/// An answer in JSON.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => {
            let mut response = Response::new(Body::from(bytes));
            *response.status_mut() = status;
            let json = HeaderValue::from_static("application/json");
            response.headers_mut().insert(header::CONTENT_TYPE, json);
            response
        }
        Err(error) => {
            use axum::response::IntoResponse as _;
            Failure::from(qm_model::Error::internal(error)).into_response()
        }
    }
}

/// One resource, 200.
pub(crate) fn ok<R: Encode>(shown: Shown<R>) -> Response {
    json(StatusCode::OK, &R::encode(shown))
}

/// `{}`, 200.
pub(crate) fn empty() -> Response {
    json(StatusCode::OK, &Empty {})
}

/// It goes on: 202.
pub(crate) fn accepted(operation: &Operation) -> Response {
    let collection = operation.resource_kind.path();
    let location = path::operation(collection, &operation.resource_id, operation.id.as_str());
    let mut response = json(StatusCode::ACCEPTED, &Empty {});
    if let Ok(location) = HeaderValue::from_str(&location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

/// What became of a deed that may last. Who asked not to wait gets 202 also for what was done at once: the
/// operation is there to be looked at.
pub(crate) fn done<T>(
    mode: Mode,
    done: Done<T>,
    now: impl FnOnce(Shown<T>) -> Response,
) -> Response {
    match done {
        Done::Later(operation) => accepted(&operation),
        Done::Now(shown) => match (mode, &shown.last_operation) {
            (Mode::Async, Some(operation)) => accepted(operation),
            _ => now(shown),
        },
    }
}
