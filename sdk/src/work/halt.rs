//! Stopping a create so that a delete can follow (B61).
//!
//! In this process the job is told and its end awaited. In another replica the record is marked; that
//! replica sees the mark when it renews its lease, or its lease runs out because it is dead.

use super::Engine;
use crate::broker::failure::Failure;
use crate::record::{Key, Record};
use crate::store::now_ms;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Work that runs in this process.
#[derive(Debug, Default)]
pub(crate) struct Running {
    /// Told to stop.
    pub(super) halt: CancellationToken,
    /// Has stopped: its future is dropped and its lease released.
    pub(super) done: CancellationToken,
}

/// Takes the work off the list when it ends, however it ends.
pub(super) struct Registered {
    engine: Arc<Engine>,
    key: Key,
    pub(super) running: Arc<Running>,
}

impl Drop for Registered {
    fn drop(&mut self) {
        let mut all = self
            .engine
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if all
            .get(&self.key)
            .is_some_and(|running| Arc::ptr_eq(running, &self.running))
        {
            all.remove(&self.key);
        }
        self.running.done.cancel();
    }
}

impl Engine {
    /// Lists work as running here.
    pub(super) fn register(self: &Arc<Self>, key: &Key) -> Registered {
        let running = Arc::new(Running::default());
        let mut all = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(key.clone(), running.clone());
        Registered {
            engine: self.clone(),
            key: key.clone(),
            running,
        }
    }

    /// Stops the create of a record and returns when nobody works on it any more.
    pub(super) async fn halt(&self, record: &Record) -> Result<(), Failure> {
        let here = {
            let all = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            all.get(&record.key).cloned()
        };
        let patience = self.lease * 2;
        if let Some(running) = here {
            running.halt.cancel();
            if tokio::time::timeout(patience, running.done.cancelled())
                .await
                .is_ok()
            {
                return Ok(());
            }
        } else {
            self.store.halt(record).await?;
            let give_up = tokio::time::Instant::now() + patience;
            while tokio::time::Instant::now() < give_up {
                if self.store.is_free(&record.key, now_ms()).await? {
                    return Ok(());
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        Err(Failure::busy(format!(
            "the {} is still being created and does not stop; try again",
            record.key.noun()
        )))
    }
}
