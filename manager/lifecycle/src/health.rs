//! Whether the manager can do its work. Asked by the health doors.
//!
//! The rule: an answer is at most five seconds old, however many ask and whether it was good or bad.

use crate::Lifecycle;
use qm_model::{Chain, Time};
use std::time::Duration;
use tokio::sync::Mutex;

const FRESH: Duration = Duration::from_secs(5);

/// One thing that was looked at.
#[derive(Debug, Clone)]
pub struct Indicator {
    /// Its name.
    pub name: &'static str,
    /// What is wrong; `None` when nothing is.
    pub problem: Option<String>,
    /// When it was looked at.
    pub checked_at: Time,
    /// How often in a row it was wrong.
    pub failures: u32,
    /// Since when.
    pub failing_since: Option<Time>,
}

/// The last look.
#[derive(Default)]
pub(crate) struct Cache(Mutex<Option<Indicator>>);

/// Whether the store answers.
pub async fn storage(deeds: &Lifecycle) -> Indicator {
    let now = deeds.now();
    let mut cache = deeds.health.0.lock().await;
    if let Some(last) = cache.as_ref()
        && last.checked_at <= now
        && now.since(last.checked_at) < FRESH
    {
        return last.clone();
    }
    let before = cache.take();
    let problem = deeds
        .store
        .ping()
        .await
        .err()
        .map(|error| Chain(&error).to_string());
    let streak = before.filter(|_| problem.is_some());
    let indicator = Indicator {
        name: "storage",
        checked_at: now,
        failures: if problem.is_some() {
            streak.as_ref().map_or(1, |last| last.failures + 1)
        } else {
            0
        },
        failing_since: problem
            .as_ref()
            .map(|_| streak.and_then(|last| last.failing_since).unwrap_or(now)),
        problem,
    };
    *cache = Some(indicator.clone());
    indicator
}
