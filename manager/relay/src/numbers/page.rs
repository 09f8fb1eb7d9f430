//! The numbers as Prometheus reads them: text, version 0.0.4.
//!
//! The rule: one heading for each name, all series of it below.

use super::{BOUNDS, Code, Numbers};
use crate::breaker::BreakerState;
use qm_model::id::BrokerId;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// One broker.
pub(crate) struct Row {
    pub(crate) id: BrokerId,
    pub(crate) breaker: BreakerState,
    pub(crate) in_flight: usize,
    pub(crate) numbers: Arc<Numbers>,
}

/// All brokers.
pub(crate) fn page(rows: &[Row]) -> String {
    let mut page = String::new();
    if rows.is_empty() {
        return page;
    }
    let ids: Vec<_> = rows.iter().map(|row| escaped(row.id.as_str())).collect();
    let rows = || rows.iter().zip(&ids);
    heading(
        &mut page,
        "qm_broker_requests_total",
        "counter",
        "Calls to a broker by verb and outcome: the status of its answer, or why there is none",
    );
    for (row, id) in rows() {
        for (verb, of) in row.numbers.used() {
            for (index, code) in Code::all() {
                let count = of.codes[index].load(Ordering::Relaxed);
                if count > 0 {
                    let _ = writeln!(
                        page,
                        "qm_broker_requests_total{{broker=\"{id}\",verb=\"{verb}\",code=\"{code}\"}} {count}"
                    );
                }
            }
        }
    }
    heading(
        &mut page,
        "qm_broker_request_seconds",
        "histogram",
        "How long calls to a broker took that were sent",
    );
    for (row, id) in rows() {
        for (verb, of) in row.numbers.used() {
            let mut count = 0;
            let labels = format!("broker=\"{id}\",verb=\"{verb}\"");
            for (bucket, bound) in of.buckets.iter().zip(bounds()) {
                count += bucket.load(Ordering::Relaxed);
                let _ = writeln!(
                    page,
                    "qm_broker_request_seconds_bucket{{{labels},le=\"{bound}\"}} {count}"
                );
            }
            let sum = seconds(of.nanos.load(Ordering::Relaxed));
            let _ = writeln!(page, "qm_broker_request_seconds_sum{{{labels}}} {sum}");
            let _ = writeln!(page, "qm_broker_request_seconds_count{{{labels}}} {count}");
        }
    }
    heading(
        &mut page,
        "qm_broker_breaker",
        "gauge",
        "The breaker of a broker: 0 closed, 1 half open, 2 open",
    );
    for (row, id) in rows() {
        let value = match row.breaker {
            BreakerState::Closed => 0,
            BreakerState::HalfOpen => 1,
            BreakerState::Open => 2,
        };
        let _ = writeln!(page, "qm_broker_breaker{{broker=\"{id}\"}} {value}");
    }
    heading(
        &mut page,
        "qm_broker_in_flight",
        "gauge",
        "Calls to a broker that are under way",
    );
    for (row, id) in rows() {
        let _ = writeln!(
            page,
            "qm_broker_in_flight{{broker=\"{id}\"}} {}",
            row.in_flight
        );
    }
    page
}

fn heading(page: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(page, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn bounds() -> impl Iterator<Item = String> {
    let told = BOUNDS.into_iter().map(|bound| seconds(bound).to_string());
    told.chain(["+Inf".to_owned()])
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a sum of times is not exact beyond microseconds anyway"
)]
fn seconds(nanos: u64) -> f64 {
    nanos as f64 / 1e9
}

/// A label's value.
fn escaped(text: &str) -> Cow<'_, str> {
    match text.contains(['\\', '"', '\n']) {
        false => Cow::Borrowed(text),
        true => Cow::Owned(
            text.replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('\n', "\\n"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::StatusCode;
    use quartermaster_osb::Verb;
    use std::time::Duration;

    #[test]
    fn reads_as_prometheus_expects() {
        let numbers = Arc::new(Numbers::default());
        numbers.ended(Verb::Bind, Code::of_status(StatusCode::CREATED));
        numbers.took(Verb::Bind, Duration::from_millis(3));
        numbers.took(Verb::Bind, Duration::from_secs(100));
        let page = page(&[Row {
            id: BrokerId::new("a\"b").unwrap(),
            breaker: BreakerState::HalfOpen,
            in_flight: 3,
            numbers,
        }]);
        for wanted in [
            "# TYPE qm_broker_request_seconds histogram",
            r#"qm_broker_requests_total{broker="a\"b",verb="bind",code="201"} 1"#,
            r#"qm_broker_request_seconds_bucket{broker="a\"b",verb="bind",le="0.0025"} 0"#,
            r#"qm_broker_request_seconds_bucket{broker="a\"b",verb="bind",le="0.005"} 1"#,
            r#"qm_broker_request_seconds_bucket{broker="a\"b",verb="bind",le="60"} 1"#,
            r#"qm_broker_request_seconds_bucket{broker="a\"b",verb="bind",le="+Inf"} 2"#,
            r#"qm_broker_request_seconds_sum{broker="a\"b",verb="bind"} 100.003"#,
            r#"qm_broker_request_seconds_count{broker="a\"b",verb="bind"} 2"#,
            r#"qm_broker_breaker{broker="a\"b"} 1"#,
            r#"qm_broker_in_flight{broker="a\"b"} 3"#,
        ] {
            assert!(page.lines().any(|line| line == wanted), "{wanted}\n{page}");
        }
    }

    #[test]
    fn nothing_is_said_about_nobody() {
        assert_eq!(page(&[]), "");
    }
}
