//! Tells the hooks how operations ended: once the outcome is stored, and again until they have heard.
//!
//! The rule: the next operation on a record begins only after the hooks have heard of the last one, so
//! that a crash in between loses nothing that is billed or audited.

use super::Engine;
use super::caught::unharmed;
use super::resume::verb;
use crate::broker::failure::Failure;
use crate::hooks::{Ended, Event};
use crate::record::{AskedRecord, Record};
use crate::store::{Settled, now_ms};
use quartermaster_osb::State;
use std::sync::Arc;
use std::time::Duration;

/// How often to look for what was not heard.
const TICK: Duration = Duration::from_secs(1);
/// A hook that has just been called is not called again at once.
const GRACE_MS: i64 = 5_000;

impl Engine {
    /// Tells what a former process, or a hook that panicked, left untold. A loop of its own: a hook that
    /// hangs must not keep work from being taken up.
    pub(crate) async fn retell(self: Arc<Self>) {
        loop {
            let round = async {
                match self.store.unheard(&self.name, now_ms() - GRACE_MS).await {
                    Ok(records) => {
                        for record in records {
                            self.tell(&record).await;
                        }
                    }
                    Err(error) => tracing::error!(%error, "untold outcomes not read"),
                }
                tokio::time::sleep(TICK).await;
            };
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = round => {}
            }
        }
    }

    /// Tells the hooks how an operation ended, and remembers that they heard.
    pub(super) async fn announce(&self, record: &Record, settled: &Settled) {
        crate::observe::ended(record, settled.state);
        if !settled.announce {
            return;
        }
        let mut record = record.clone();
        if let Some(op) = &mut record.op {
            op.state = settled.state;
            op.text.clone_from(&settled.text);
        }
        self.tell(&record).await;
    }

    /// Tells the hooks of the last operation before the next begins.
    pub(super) async fn catch_up(&self, record: &Record) -> Result<(), Failure> {
        if self.tell(record).await {
            return Ok(());
        }
        Err(Failure::busy(
            "the outcome of the last operation is still being announced; try again",
        ))
    }

    /// `false`: they must be told again.
    async fn tell(&self, record: &Record) -> bool {
        let (Some(hooks), Some(op)) = (&self.hooks, &record.op) else {
            return true;
        };
        if op.state == State::InProgress {
            return true;
        }
        let asked = match (&op.intent, &record.spec) {
            (Some(intent), _) => &intent.asked,
            (None, Some(spec)) => &spec.asked,
            (None, None) => &AskedRecord::default(),
        };
        let change = op.intent.as_ref().and_then(|intent| intent.change.as_ref());
        let event = Event {
            verb: verb(op.work, record.key.binding.is_some()),
            instance: record.key.instance.clone(),
            binding: record.key.binding.clone(),
            service: record.service.clone(),
            plan: change
                .and_then(|change| change.plan.clone())
                .unwrap_or_else(|| record.plan.clone()),
            asked: asked.asked(&record.key.platform, record.attempts),
        };
        let ended = Ended {
            state: op.state,
            description: op.text.clone(),
        };
        if unharmed(hooks.after(&event, &ended)).await.is_err() {
            tracing::error!(instance.id = %record.key.instance, "a hook panicked; it will be told again");
            return false;
        }
        match self.store.heard(record).await {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(%error, "a hook will be told again");
                false
            }
        }
    }
}
