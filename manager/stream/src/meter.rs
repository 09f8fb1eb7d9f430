//! The stream's figures, by name. Documented in the crate's page; everything that counts calls these.

use crate::End;
use std::time::Duration;

#[expect(clippy::cast_precision_loss, reason = "a count of connections fits")]
pub(crate) fn connected(count: usize) {
    metrics::gauge!("qm_stream_connected").set(count as f64);
}

pub(crate) fn delivered() {
    metrics::counter!("qm_stream_delivered_total").increment(1);
}

pub(crate) fn cut(reason: End) {
    count_cut(reason.word());
}

/// A connection was ended by us. The stream counts its own reasons; a door counts those that only it can see.
pub fn count_cut(reason: &'static str) {
    metrics::counter!("qm_stream_cut_total", "reason" => reason).increment(1);
}

#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53 events")]
pub(crate) fn revision(last: i64) {
    metrics::gauge!("qm_outbox_revision").set(last as f64);
}

pub(crate) fn lag(behind: Duration) {
    metrics::gauge!("qm_outbox_lag_seconds").set(behind.as_secs_f64());
}
