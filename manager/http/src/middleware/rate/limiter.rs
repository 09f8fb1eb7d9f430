//! The counts. One limiter for each rule, one cell for each caller.
//!
//! The rule: a caller that has not come for a while is forgotten, so the cells are as many as callers of
//! late and not as many as there ever were.

use super::rule::{RateRule, below};
use super::{Budget, Distrust, RateSettings};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::{StateInformationMiddleware, StateSnapshot};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::Method;
use std::sync::atomic::{AtomicU32, Ordering};

/// Between two looks for callers that can be forgotten.
const SWEEP_EVERY: u32 = 4_096;

type Counts = DefaultKeyedRateLimiter<String, StateInformationMiddleware>;

pub(crate) struct Limiter {
    rules: Vec<(RateRule, Counts)>,
    free: Vec<String>,
    clock: DefaultClock,
    checks: AtomicU32,
    /// Addresses whose proofs were wrong, at whichever door.
    pub(in crate::middleware) distrust: Distrust,
}

impl Limiter {
    pub(crate) fn new(settings: &RateSettings) -> Self {
        let rules = settings.rules.iter().filter_map(|rule| {
            let each = rule.period / rule.count.get();
            let quota = Quota::with_period(each)?.allow_burst(rule.count);
            Some((rule.clone(), RateLimiter::keyed(quota).with_middleware()))
        });
        Self {
            rules: rules.collect(),
            free: settings.excluded_paths.clone(),
            clock: DefaultClock::default(),
            checks: AtomicU32::new(0),
            distrust: Distrust::default(),
        }
    }

    /// Whether there is no rule at all.
    pub(super) fn is_idle(&self) -> bool {
        self.rules.is_empty()
    }

    /// Counts one request and says what is left, or that it has to wait. `None`: it is not counted.
    pub(super) fn check(
        &self,
        key: &str,
        method: &Method,
        path: &str,
    ) -> Result<Option<Budget>, Budget> {
        if self.free.iter().any(|free| below(free, path)) {
            return Ok(None);
        }
        self.sweep();
        let key = key.to_owned();
        let (mut least, mut refused): (Option<Budget>, Option<Budget>) = (None, None);
        // Every rule counts, also after one has refused.
        for (rule, counts) in &self.rules {
            if !rule.covers(method, path) {
                continue;
            }
            match counts.check_key(&key) {
                Ok(state) => {
                    let left = Budget::of(&state);
                    least = least
                        .filter(|least| least.remaining <= left.remaining)
                        .or(Some(left));
                }
                Err(not_yet) => {
                    let wait = not_yet.wait_time_from(self.clock.now());
                    let over = Budget {
                        limit: rule.count.get(),
                        remaining: 0,
                        reset: wait,
                    };
                    refused = refused.filter(|other| other.reset >= wait).or(Some(over));
                }
            }
        }
        refused.map_or(Ok(least), Err)
    }

    fn sweep(&self) {
        if self.checks.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            for (_, limiter) in &self.rules {
                limiter.retain_recent();
            }
        }
    }
}

impl Budget {
    fn of(state: &StateSnapshot) -> Self {
        let quota = state.quota();
        let limit = quota.burst_size().get();
        let remaining = state.remaining_burst_capacity().min(limit);
        Self {
            limit,
            remaining,
            reset: quota.replenish_interval() * (limit - remaining),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn limiter(rules: &[&str], free: &[&str]) -> Limiter {
        Limiter::new(&RateSettings {
            rules: rules.iter().map(|rule| rule.parse().unwrap()).collect(),
            excluded_paths: free.iter().map(|&path| path.to_owned()).collect(),
            excluded_callers: Vec::new(),
        })
    }

    #[test]
    fn each_caller_and_each_rule_counts_by_itself() {
        let limiter = limiter(&["2-D", "1-D:/v1/platforms:PUT"], &[]);
        assert!(limiter.check("a", &Method::PUT, "/v1/platforms").is_ok());
        assert!(limiter.check("a", &Method::PUT, "/v1/platforms").is_err());
        // The refused one was counted by the first rule.
        let over = limiter.check("a", &Method::GET, "/v1/info").unwrap_err();
        let wait = over.reset;
        assert!(wait > Duration::from_secs(3_600) && wait <= Duration::from_secs(86_400));
        assert_eq!((over.limit, over.remaining), (2, 0));
        assert!(limiter.check("b", &Method::GET, "/v1/info").is_ok());
    }

    #[test]
    fn what_is_left_is_that_of_the_tightest_rule() {
        let limiter = limiter(&["5-D", "3-D", "9-D"], &["/v1/info"]);
        let left = |path| limiter.check("a", &Method::GET, path).unwrap();
        let first = left("/v1/platforms").unwrap();
        assert_eq!((first.limit, first.remaining), (3, 2));
        assert_eq!(left("/v1/platforms").unwrap().remaining, 1);
        assert_eq!(left("/v1/info"), None);
    }

    #[test]
    fn free_paths_are_not_counted() {
        let limiter = limiter(&["1-D"], &["/v1/osb"]);
        for _ in 0..3 {
            assert!(
                limiter
                    .check("a", &Method::PUT, "/v1/osb/x/v2/catalog")
                    .is_ok()
            );
        }
        assert!(limiter.check("a", &Method::PUT, "/v1/osbx").is_ok());
        assert!(limiter.check("a", &Method::PUT, "/v1/osbx").is_err());
    }
}
