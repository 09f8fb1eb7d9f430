//! Choices for a run against a platform.
//!
//! Made by `smctl verify platform` and by tests; read by `run` and `World`.

use crate::Duration;
use crate::options::matches;
use std::net::{Ipv4Addr, SocketAddr};

/// Choices for a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Run only cases that match one of these (all when empty).
    pub only: Vec<String>,
    /// Leave out cases that match one of these.
    pub skip: Vec<String>,
    /// Where the scripted brokers listen.
    pub listen: SocketAddr,
    /// Where the platform reaches them; what they listen on when absent.
    pub public_url: Option<String>,
    /// How long the suite waits for something that the platform does on its own schedule: a poll, a deletion.
    pub patience: Duration,
    /// How long it watches whether something is left undone.
    pub settle: Duration,
    /// After this time the platform has given up a request that is not answered.
    pub request_timeout: Duration,
    /// How late an answer comes that the platform has to wait for.
    pub slow_answer: Duration,
    /// How many cases run at the same time.
    pub parallel: usize,
    /// Keep every call also for cases that passed.
    pub keep_evidence: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            only: Vec::new(),
            skip: Vec::new(),
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            public_url: None,
            patience: Duration::from_secs(60),
            settle: Duration::from_secs(12),
            request_timeout: Duration::from_secs(70),
            slow_answer: Duration::from_secs(8),
            parallel: 64,
            keep_evidence: false,
        }
    }
}

impl Options {
    /// Whether a case is wanted: named by `only` (or `only` is empty) and not by `skip`.
    pub fn wants(&self, id: &str) -> bool {
        (self.only.is_empty() || self.only.iter().any(|p| matches(p, id)))
            && !self.skip.iter().any(|p| matches(p, id))
    }
}
