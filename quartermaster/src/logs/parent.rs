//! Reading `traceparent` and `tracestate`: a request's span becomes part of its caller's trace.
//!
//! The doors call [`join`] before the span is first entered; then it would be too late. The rule: a header
//! that is not valid is as good as none; the request is served either way.

use http::{HeaderMap, HeaderName};
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::TraceContextExt as _;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

/// Makes a span the child of the caller's, if the headers name one.
pub(crate) fn join(span: &tracing::Span, headers: &HeaderMap) {
    // Most callers send none: then this costs one look.
    if !headers.contains_key("traceparent") {
        return;
    }
    let parent = TraceContextPropagator::new().extract(&Headers(headers));
    if !parent.span().span_context().is_valid() {
        return;
    }
    if let Err(error) = span.set_parent(parent) {
        tracing::trace!(error = %error, "the caller's trace is not continued");
    }
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}
