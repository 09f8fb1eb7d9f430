//! Holds a body to its size, whoever reads it and however: a length that is announced is believed and
//! refused at once, one that is not is counted while it comes.

use crate::{App, Failure};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::CONTENT_LENGTH;
use http_body_util::Limited;

pub(super) async fn run(State(app): State<App>, request: Request, next: Next) -> Response {
    let limit = app.settings.max_body_bytes;
    let announced = request.headers().get(CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > limit as u64) {
        return Failure::too_large(limit).into_response();
    }
    next.run(request.map(|body| Body::new(Limited::new(body, limit))))
        .await
}
