//! Reading `traceparent` and `tracestate`.
//!
//! Called by [`parent_of`](super::parent_of). The rule: a header that is not valid is as good as none;
//! the request is served either way.

use http::{HeaderMap, HeaderName};
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing_opentelemetry::OpenTelemetrySpanExt;

pub(super) fn set(span: &tracing::Span, headers: &HeaderMap) {
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
