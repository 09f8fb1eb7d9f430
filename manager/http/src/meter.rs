//! The figures about requests. `docs/metrics.md` lists them; `/metrics` shows them.
//!
//! The rule: names are written here and nowhere else, and labels are bounded: a route is the pattern in the
//! table and never the path that was asked for, a method is a word of a fixed set.

use http::{Method, StatusCode};
use metrics::{
    Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use std::time::Duration;

const REQUESTS: &str = "qm_http_requests_total";
const SECONDS: &str = "qm_http_request_seconds";
const IN_FLIGHT: &str = "qm_http_requests_in_flight";
const PANICS: &str = "qm_http_panics_total";
const THROTTLED: &str = "qm_http_throttled_total";

/// Says what the figures mean, to the recorder that is installed now.
pub(crate) fn describe() {
    describe_counter!(REQUESTS, "Requests by method, route and status");
    describe_histogram!(
        SECONDS,
        Unit::Seconds,
        "How long answers took, by method and route"
    );
    describe_gauge!(IN_FLIGHT, "Requests that are under way");
    describe_counter!(PANICS, "Requests that ended in a panic");
    describe_counter!(
        THROTTLED,
        "Requests that were refused because the caller came too often"
    );
}

pub(crate) fn answered(method: &'static str, route: String, status: StatusCode, took: Duration) {
    let status = status.as_str().to_owned();
    counter!(REQUESTS, "method" => method, "route" => route.clone(), "status" => status)
        .increment(1);
    histogram!(SECONDS, "method" => method, "route" => route).record(took);
}

pub(crate) fn panicked() {
    counter!(PANICS).increment(1);
}

pub(crate) fn throttled() {
    counter!(THROTTLED).increment(1);
}

/// A word of a fixed set: a client may send any method.
pub(crate) fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "OTHER",
    }
}

/// Counts a request under way for as long as it lives; a caller that hangs up drops it.
pub(crate) struct UnderWay(());

impl UnderWay {
    pub(crate) fn count() -> Self {
        gauge!(IN_FLIGHT).increment(1.0);
        Self(())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        gauge!(IN_FLIGHT).decrement(1.0);
    }
}
