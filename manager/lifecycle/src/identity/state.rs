//! What identity remembers in this process: keys, verified tokens and pairs, failed logins. `Lifecycle` holds one.
//!
//! The rule: all of it can be lost. What must last is in the store.

use super::agent_password::Lines;
use super::cache::Cache;
use super::issuer::Remote;
use super::pairs::Pairs;
use super::ring::Rings;
use super::settings::Settings;
use super::throttle::Throttle;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// How many passwords are hashed at once. Each takes 19 MiB and a core for its time.
const HASHERS: usize = 2;

/// What identity remembers in this process.
pub struct State {
    pub(super) issuers: Vec<Arc<Remote>>,
    pub(super) verified: Cache,
    pub(super) rings: Rings,
    pub(super) throttle: Throttle,
    pub(super) hashers: Arc<Semaphore>,
    pub(super) pairs: Pairs,
    pub(super) lines: Lines,
}

impl State {
    /// Nothing is known yet, and nobody is asked: an issuer that is away does not hinder the start.
    pub fn new(settings: &Settings) -> Self {
        Self {
            issuers: settings
                .issuers
                .iter()
                .map(|issuer| Arc::new(Remote::new(issuer.clone())))
                .collect(),
            verified: Cache::new(settings.cached_tokens),
            rings: Rings::default(),
            throttle: Throttle::new(settings.login),
            hashers: Arc::new(Semaphore::new(HASHERS)),
            pairs: Pairs::new(),
            lines: Lines::new(),
        }
    }
}
