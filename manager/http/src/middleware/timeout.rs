//! Ends a caller's wait. Deeds run on tasks of their own, so what was begun goes on and is not cut half
//! way; the caller is told to look before it repeats. At an OSB door a platform waits longer than the broker may
//! take, so that it hears what the broker said.

use crate::{App, Failure, osb};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

pub(super) async fn run(State(app): State<App>, request: Request, next: Next) -> Response {
    let wait = if osb::is_door(request.uri().path()) {
        app.settings.door_timeout
    } else {
        app.settings.request_timeout
    };
    match tokio::time::timeout(wait, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Failure::timeout().into_response(),
    }
}
