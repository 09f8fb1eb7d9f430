//! The span of a request, its figures, and one line in the log when it failed.

use crate::App;
use crate::error::answer;
use crate::meter::{self, Figures, UnderWay};
use crate::middleware::request::Circumstances;
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use std::sync::Arc;
use std::time::Instant;
use tracing::{Span, field};

/// A request under way.
pub(super) struct Watch {
    figures: Arc<Figures>,
    route: Option<MatchedPath>,
    method: &'static str,
    span: Span,
    begun: Instant,
    /// Counts it as long as it lives: a caller that hangs up drops it.
    _under_way: UnderWay,
}

impl Watch {
    pub(super) fn begin(app: &App, figures: &Arc<Figures>, request: &Request) -> Self {
        let route = request.extensions().get::<MatchedPath>().cloned();
        let method = meter::method(request.method());
        let span = span(request, method, name(route.as_ref()));
        (app.outside.join_trace)(&span, request.headers());
        Self {
            figures: Arc::clone(figures),
            route,
            method,
            span,
            begun: Instant::now(),
            _under_way: figures.under_way(),
        }
    }

    pub(super) fn span(&self) -> &Span {
        &self.span
    }

    pub(super) fn end(self, response: &Response) {
        let status = response.status();
        if !self.span.is_disabled() {
            self.span
                .record("http.response.status_code", status.as_u16());
        }
        self.span.in_scope(|| log(response));
        let route = name(self.route.as_ref());
        self.figures
            .answered(self.method, route, status, self.begun.elapsed());
    }
}

fn name(route: Option<&MatchedPath>) -> &str {
    route.map_or("unmatched", MatchedPath::as_str)
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
