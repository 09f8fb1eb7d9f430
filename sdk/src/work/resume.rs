//! Takes up what is unfinished: at the start, when something becomes due, and steadily.
//!
//! It takes no input: it reads what is due and does it. The same loop finishes what a dead process (or
//! a dead replica) left.

use super::carry::Patience;
use super::{Engine, outcome};
use crate::broker::failure::Failure;
use crate::record::{Record, Work};
use crate::store::{StoreError, now_ms};
use quartermaster_osb::Verb;
use std::sync::Arc;
use std::time::Duration;

/// How many operations one look takes.
const BATCH: i64 = 16;
/// How often a function is run before its operation fails: one that kills the process each time must end.
const MOST_ATTEMPTS: i64 = 10;
/// How often to look when nothing wakes us.
const TICK: Duration = Duration::from_secs(1);

impl Engine {
    /// Works until told to stop.
    pub(crate) async fn resume(self: Arc<Self>) {
        // What a stopping process has given back is for the next one.
        while !self.stop.is_cancelled() {
            match self.take_up().await {
                Ok(taken) if taken == BATCH => continue,
                Ok(_) => {}
                Err(error) => tracing::error!(
                    error = crate::observe::chain(&error),
                    "unfinished work not read"
                ),
            }
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = self.wake.notified() => {}
                () = tokio::time::sleep(TICK) => {}
            }
        }
    }

    async fn take_up(self: &Arc<Self>) -> Result<i64, StoreError> {
        let now = now_ms();
        let until = self.lease_until(now);
        let records = self
            .store
            .claim(&self.name, &self.owner, now, until, BATCH)
            .await?;
        let taken = i64::try_from(records.len()).unwrap_or(BATCH);
        for record in records {
            crate::observe::resumed(&record);
            let engine = self.clone();
            self.tasks.spawn(async move { engine.take(record).await });
        }
        Ok(taken)
    }

    async fn take(self: Arc<Self>, record: Record) {
        if record.attempts > MOST_ATTEMPTS {
            let failure = Failure::broken(format!("given up after {MOST_ATTEMPTS} attempts"));
            let settled = outcome::failed(&record, &failure, self.hooks.is_some());
            if let Err(error) = self.store.settle(&record, &settled, now_ms()).await {
                tracing::error!(
                    error = crate::observe::chain(&error),
                    "giving up was not stored"
                );
            }
            return;
        }
        // Whoever asked is gone or polls: work for later may go on, and nothing is refused.
        self.carry(Arc::new(record), None, Patience::Awaits).await;
    }
}

/// The verb that an operation came from.
pub(crate) fn verb(work: Work, binding: bool) -> Verb {
    match (work, binding) {
        (Work::Create, false) => Verb::Provision,
        (Work::Create, true) => Verb::Bind,
        (Work::Update, _) => Verb::Update,
        (Work::Delete, false) => Verb::Deprovision,
        (Work::Delete, true) => Verb::Unbind,
    }
}
