//! The span of a request, its figures, and one line in the log when it failed.

use crate::App;
use crate::error::answer;
use crate::meter::{self, UnderWay};
use crate::middleware::request::Circumstances;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;
use tracing::{Instrument, Span, field};

pub(super) async fn run(State(app): State<App>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("unmatched", MatchedPath::as_str).to_owned();
    let method = meter::method(request.method());
    let span = span(&request, method, &route);
    (app.outside.join_trace)(&span, request.headers());
    let begun = Instant::now();
    let under_way = UnderWay::count();
    let response = next.run(request).instrument(span.clone()).await;
    drop(under_way);
    let status = response.status();
    span.record("http.response.status_code", status.as_u16());
    span.in_scope(|| log(&response));
    meter::answered(method, route, status, begun.elapsed());
    response
}

fn span(request: &Request, method: &'static str, route: &str) -> Span {
    let circumstances = request.extensions().get::<Circumstances>();
    let (id, remote) = circumstances.map_or(("", ""), |circumstances| {
        let Circumstances {
            correlation_id,
            remote,
        } = circumstances;
        (correlation_id.as_str(), remote.as_str())
    });
    tracing::info_span!(
        "request",
        otel.name = format_args!("{method} {route}"),
        otel.kind = "server",
        http.request.method = method,
        http.route = route,
        http.response.status_code = field::Empty,
        client.address = remote,
        correlation_id = id,
        caller = field::Empty,
    )
}

fn log(response: &Response) {
    let status = response.status().as_u16();
    let Some(failure) = answer::of(response) else {
        tracing::debug!(status, "answered");
        return;
    };
    let cause = failure.cause.as_deref().unwrap_or_default();
    let why = failure.description.as_str();
    match failure.status.as_u16() {
        500 => tracing::error!(status, error = failure.word, why, cause, "failed"),
        501.. => tracing::warn!(status, error = failure.word, why, cause, "failed"),
        _ => tracing::debug!(status, error = failure.word, why, "refused"),
    }
}
