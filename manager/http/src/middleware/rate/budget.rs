//! How much a caller has left, in the headers of its answers: `RateLimit-Limit`, `RateLimit-Remaining` and
//! `RateLimit-Reset` (in seconds). So a client can slow down before it is refused.

use axum::response::Response;
use http::{HeaderName, HeaderValue};
use std::time::Duration;

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// What is left of the rule that leaves least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::middleware) struct Budget {
    /// So many at most.
    pub(super) limit: u32,
    /// So many more at once.
    pub(super) remaining: u32,
    /// After which all of it is there again; or the next one, when nothing is left.
    pub(super) reset: Duration,
}

impl Budget {
    /// Writes it into an answer.
    pub(in crate::middleware) fn write(self, response: &mut Response) {
        let Self {
            limit,
            remaining,
            reset,
        } = self;
        // Rounded up: who waits so long has waited long enough.
        let seconds = reset.as_secs() + u64::from(reset.subsec_nanos() > 0);
        let headers = response.headers_mut();
        headers.insert(LIMIT, HeaderValue::from(limit));
        headers.insert(REMAINING, HeaderValue::from(remaining));
        headers.insert(RESET, HeaderValue::from(seconds));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    #[test]
    fn it_is_written_in_whole_seconds() {
        let mut response = Response::new(Body::empty());
        let budget = Budget {
            limit: 10,
            remaining: 3,
            reset: Duration::from_millis(4_001),
        };
        budget.write(&mut response);
        let header = |name: &HeaderName| response.headers()[name].to_str().unwrap();
        assert_eq!(
            [LIMIT, REMAINING, RESET].each_ref().map(header),
            ["10", "3", "5"]
        );
    }
}
