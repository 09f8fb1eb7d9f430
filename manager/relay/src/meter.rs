//! The numbers about brokers. The README lists them; `/metrics` shows them.
//!
//! The rule: names and labels are written here and nowhere else, and the only labels are a broker's id, a
//! verb and a code, so that their number is bounded by the registry.

use crate::breaker::BreakerState;
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use qm_model::id::BrokerId;
use quartermaster_osb::Verb;
use std::time::Duration;

const REQUESTS: &str = "qm_broker_requests_total";
const SECONDS: &str = "qm_broker_request_seconds";
const BREAKER: &str = "qm_broker_breaker";
const IN_FLIGHT: &str = "qm_broker_in_flight";

/// Says what the numbers mean, to the recorder that is installed now.
pub(crate) fn describe() {
    describe_counter!(
        REQUESTS,
        "Calls to a broker by verb and outcome: the status of its answer, or why there is none"
    );
    describe_histogram!(
        SECONDS,
        metrics::Unit::Seconds,
        "How long calls to a broker took that were sent"
    );
    describe_gauge!(
        BREAKER,
        "The breaker of a broker at its last call: 0 closed, 1 half open, 2 open"
    );
    describe_gauge!(IN_FLIGHT, "Calls to a broker that are under way");
}

pub(crate) fn request(broker: &BrokerId, verb: Verb, code: &str) {
    counter!(REQUESTS, "broker" => broker.to_string(), "verb" => verb.as_str(), "code" => code.to_owned())
        .increment(1);
}

pub(crate) fn took(broker: &BrokerId, verb: Verb, time: Duration) {
    histogram!(SECONDS, "broker" => broker.to_string(), "verb" => verb.as_str()).record(time);
}

pub(crate) fn breaker(broker: &BrokerId, state: BreakerState) {
    let value = match state {
        BreakerState::Closed => 0.0,
        BreakerState::HalfOpen => 1.0,
        BreakerState::Open => 2.0,
    };
    gauge!(BREAKER, "broker" => broker.to_string()).set(value);
}

pub(crate) fn entered(broker: &BrokerId) {
    gauge!(IN_FLIGHT, "broker" => broker.to_string()).increment(1.0);
}

pub(crate) fn left(broker: &BrokerId) {
    gauge!(IN_FLIGHT, "broker" => broker.to_string()).decrement(1.0);
}
