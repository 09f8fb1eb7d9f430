//! Whether the manager can do its work. Asked by the health doors.
//!
//! The rule: however many ask, the store is asked once in five seconds while all is well and once in a second while it is
//! not, so that whoever waits for it to come back is not kept waiting. Well means that something could be written.

mod brokers;

pub use brokers::{BreakerState, BrokerState, brokers};

use crate::Lifecycle;
use qm_model::{Chain, Time};
use std::time::Duration;
use tokio::sync::Mutex;

/// For so long a good answer counts,
const GOOD: Duration = Duration::from_secs(5);
/// and a bad one.
const BAD: Duration = Duration::from_secs(1);

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

impl Indicator {
    fn counts_for(&self) -> Duration {
        match self.problem {
            None => GOOD,
            Some(_) => BAD,
        }
    }
}

/// Whether the store answers and takes what is written.
pub async fn storage(deeds: &Lifecycle) -> Indicator {
    let now = deeds.now();
    let mut cache = deeds.health.0.lock().await;
    if let Some(last) = cache.as_ref()
        && last.checked_at <= now
        && now.since(last.checked_at) < last.counts_for()
    {
        return last.clone();
    }
    let before = cache.take();
    let problem = deeds
        .store
        .probe()
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
