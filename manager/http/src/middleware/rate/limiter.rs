//! The counts. One limiter for each rule, one cell for each caller.
//!
//! The rule: a caller that has not come for a while is forgotten, so the cells are as many as callers of
//! late and not as many as there ever were.

use super::rule::{RateRule, below};
use super::{Distrust, RateSettings};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::Method;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Between two looks for callers that can be forgotten.
const SWEEP_EVERY: u32 = 4_096;

pub(crate) struct Limiter {
    rules: Vec<(RateRule, DefaultKeyedRateLimiter<String>)>,
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
            Some((rule.clone(), RateLimiter::keyed(quota)))
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

    /// Counts one request, or says how long to wait.
    pub(super) fn check(&self, key: &str, method: &Method, path: &str) -> Result<(), Duration> {
        if self.free.iter().any(|free| below(free, path)) {
            return Ok(());
        }
        self.sweep();
        let key = key.to_owned();
        let covering = self
            .rules
            .iter()
            .filter(|(rule, _)| rule.covers(method, path));
        let waits = covering.filter_map(|(_, limiter)| {
            let not_yet = limiter.check_key(&key).err()?;
            Some(not_yet.wait_time_from(self.clock.now()))
        });
        waits.max().map_or(Ok(()), Err)
    }

    fn sweep(&self) {
        if self.checks.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            for (_, limiter) in &self.rules {
                limiter.retain_recent();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let wait = limiter.check("a", &Method::GET, "/v1/info").unwrap_err();
        assert!(wait > Duration::from_secs(3_600) && wait <= Duration::from_secs(86_400));
        assert!(limiter.check("b", &Method::GET, "/v1/info").is_ok());
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
