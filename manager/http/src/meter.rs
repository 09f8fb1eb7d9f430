//! The figures about requests. `docs/metrics.md` lists them; `/metrics` shows them.
//!
//! The rule: names are written here and nowhere else, and labels are bounded: a route is the pattern in the
//! table and never the path that was asked for, a method is a word of a fixed set.

use http::{Method, StatusCode};
use metrics::{
    Counter, Gauge, Histogram, Unit, counter, describe_counter, describe_gauge, describe_histogram,
    gauge, histogram,
};
use std::sync::{OnceLock, PoisonError, RwLock};
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

/// The figures of one door. Handles are looked up once, by all that tells them apart, and kept.
#[derive(Default)]
pub(crate) struct Figures {
    seen: RwLock<Vec<Seen>>,
    under_way: OnceLock<Gauge>,
}

struct Seen {
    method: &'static str,
    route: String,
    status: StatusCode,
    count: Counter,
    seconds: Histogram,
}

impl Figures {
    pub(crate) fn answered(
        &self,
        method: &'static str,
        route: &str,
        status: StatusCode,
        took: Duration,
    ) {
        let seen = self.seen.read().unwrap_or_else(PoisonError::into_inner);
        let same =
            |seen: &&Seen| seen.status == status && seen.method == method && seen.route == route;
        if let Some(seen) = seen.iter().find(same) {
            seen.add(took);
            return;
        }
        drop(seen);
        // Two who come here at once keep two handles of the same figures; that is harmless.
        let new = Seen::of(method, route, status);
        new.add(took);
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        seen.push(new);
    }

    /// Counts a request under way for as long as what is given lives.
    pub(crate) fn under_way(&self) -> UnderWay {
        let gauge = self.under_way.get_or_init(|| gauge!(IN_FLIGHT)).clone();
        gauge.increment(1.0);
        UnderWay(gauge)
    }
}

impl Seen {
    fn of(method: &'static str, route: &str, status: StatusCode) -> Self {
        let (route, word) = (route.to_owned(), status.as_str().to_owned());
        Self {
            count: counter!(REQUESTS, "method" => method, "route" => route.clone(), "status" => word),
            seconds: histogram!(SECONDS, "method" => method, "route" => route.clone()),
            method,
            route,
            status,
        }
    }

    fn add(&self, took: Duration) {
        self.count.increment(1);
        self.seconds.record(took);
    }
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

/// A request under way; a caller that hangs up drops it.
pub(crate) struct UnderWay(Gauge);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}
