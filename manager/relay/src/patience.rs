//! How long a broker wants to be left alone, in seconds: it may have said until when instead. [`ask`](crate::Relay::ask)
//! puts it into the answers that the manager reads itself; platforms get what the broker wrote.
//!
//! The rule: rounded up, and counted by the broker's own clock where its answer tells the time.

use http::header::{DATE, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue};
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// Writes `Retry-After` as seconds.
pub(crate) fn in_seconds(headers: &mut HeaderMap, now: Timestamp) {
    let Some(until) = date(headers, &RETRY_AFTER) else {
        return;
    };
    let since = date(headers, &DATE).unwrap_or(now);
    let millis = until.as_millisecond() - since.as_millisecond();
    let seconds = u64::try_from(millis).unwrap_or_default().div_ceil(1_000);
    headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
}

fn date(headers: &HeaderMap, name: &HeaderName) -> Option<Timestamp> {
    let text = headers.get(name)?.to_str().ok()?;
    DateTimeParser::new().parse_timestamp(text.trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(retry_after: &str, date: Option<&str>) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, retry_after.parse().unwrap());
        if let Some(date) = date {
            headers.insert(DATE, date.parse().unwrap());
        }
        in_seconds(&mut headers, "1994-11-06T08:49:30.2Z".parse().unwrap());
        headers[RETRY_AFTER].to_str().unwrap().to_owned()
    }

    #[test]
    fn a_date_becomes_what_is_left_until_then() {
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT", None), "7");
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:31 GMT", None), "1");
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:30 GMT", None), "0", "past");
        let clock = Some("Sun, 06 Nov 1994 09:00:00 GMT");
        assert_eq!(seconds("Sun, 06 Nov 1994 09:00:05 GMT", clock), "5");
    }

    #[test]
    fn what_is_no_date_stays() {
        for text in ["7", "soon", "-1"] {
            assert_eq!(seconds(text, None), text);
        }
    }
}
