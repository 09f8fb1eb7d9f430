//! Times as the wire has them: RFC 3339 in bodies, HTTP dates in headers.

use jiff::Timestamp as Moment;
use jiff::fmt::rfc2822::DateTimePrinter;
use qm_manager_api::Timestamp;
use qm_model::Time;

/// RFC 3339.
pub(crate) fn rfc3339(time: Time) -> Timestamp {
    Timestamp::new(time.to_string())
}

/// RFC 3339; never is the zero time.
pub(crate) fn or_zero(time: Option<Time>) -> Timestamp {
    time.map_or(Timestamp::ZERO, rfc3339)
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`. Rounded up: who waits until then has waited long enough.
pub(crate) fn http(time: Time) -> String {
    let seconds = time.millis().saturating_add(999).div_euclid(1_000);
    let moment = Moment::from_second(seconds).unwrap_or(Moment::MAX);
    let printed = DateTimePrinter::new().timestamp_to_rfc9110_string(&moment);
    printed.unwrap_or_else(|_| "Fri, 31 Dec 9999 23:59:59 GMT".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_dates_are_rounded_up() {
        assert_eq!(http(Time(784_111_777_000)), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(http(Time(784_111_776_001)), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert!(http(Time(i64::MAX)).len() >= 19);
    }

    #[test]
    fn never_is_the_zero_time_and_not_empty() {
        assert_eq!(or_zero(None).as_str(), "0001-01-01T00:00:00Z");
        assert_eq!(or_zero(Some(Time(0))).as_str(), "1970-01-01T00:00:00Z");
    }
}
