//! Logs and traces of a broker program.
//!
//! A program calls [`init()`] once at its start; the endpoint calls [`parent_of`] for each request. The
//! rule: a library never decides where logs go, so nothing here happens unless the program asks for
//! it, and a program with a subscriber of its own loses nothing by not asking.

#[cfg(feature = "server")]
mod init;
#[cfg(all(feature = "server", feature = "otel"))]
mod otlp;
#[cfg(feature = "otel")]
mod parent;

#[cfg(feature = "server")]
pub use init::{Format, InitError, Telemetry, init};

/// Makes a span the child of the caller's span, if the request names one in `traceparent` (W3C).
///
/// Call it before the span is first entered: then it is too late. Without the feature `otel`, or
/// without a tracer in the program's subscriber, it does nothing.
pub fn parent_of(span: &tracing::Span, headers: &http::HeaderMap) {
    #[cfg(feature = "otel")]
    parent::set(span, headers);
    #[cfg(not(feature = "otel"))]
    let _ = (span, headers);
}
