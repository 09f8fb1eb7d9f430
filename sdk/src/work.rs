//! The engine: runs the author's functions, keeps their leases, stores what they came to.
//!
//! Requests enter by [`Engine::undertake`]; work that a dead process left behind enters by `resume`.
//! Both meet in `carry`. The rule: the intent is stored before an author's function starts, and the
//! outcome under the fence it started with, so that at any moment a crash leaves something to finish
//! and never something unknown.

mod announce;
mod carry;
mod caught;
mod halt;
mod outcome;
mod prepare;
mod progress;
mod resume;

pub(crate) use carry::{Patience, Ran};
pub(crate) use caught::caught;
pub use progress::Progress;
pub(crate) use resume::verb;

use crate::broker::call::Asked;
use crate::broker::erased::AnyBroker;
use crate::broker::failure::Failure;
use crate::catalog::Compiled;
use crate::hooks::Hooks;
use crate::life::{Verdict, Wish};
use crate::record::{AskedRecord, Key, Op, Record};
use crate::store::{Began, Start, Store, StoreError, now_ms};
use halt::Running;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Runs the work of one broker.
pub(crate) struct Engine {
    /// The broker's name in the store.
    pub(crate) name: Arc<str>,
    pub(crate) store: Store,
    pub(crate) broker: Arc<dyn AnyBroker>,
    pub(crate) hooks: Option<Arc<dyn Hooks>>,
    pub(crate) catalog: RwLock<Arc<Compiled>>,
    /// This process, among its replicas and former lives.
    pub(crate) owner: String,
    pub(crate) lease: Duration,
    /// How long an operation may take when its plan sets no limit.
    pub(crate) deadline: Duration,
    /// What runs in this process and can be told to stop.
    pub(crate) running: Mutex<HashMap<Key, Arc<Running>>>,
    pub(crate) tasks: TaskTracker,
    pub(crate) stop: CancellationToken,
    /// Something is due before the next tick.
    pub(crate) wake: tokio::sync::Notify,
}

/// What came of a wish.
pub(crate) enum Undertaken {
    /// The author's function ran.
    Ran(Ran, Arc<Record>),
    /// The same exists already.
    Exists(Box<Record>),
    /// The same is under way already.
    Running(Op, Box<Record>),
}

impl Engine {
    /// The catalog in force.
    pub(crate) fn catalog(&self) -> Arc<Compiled> {
        self.catalog
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Stores the intent, runs the function, stores the outcome; or says how things stand.
    pub(crate) async fn undertake(
        self: &Arc<Self>,
        key: Key,
        wish: Wish,
        asked: &Asked,
        patience: Patience,
    ) -> Result<Undertaken, Failure> {
        loop {
            let now = now_ms();
            let start = Start {
                key: key.clone(),
                wish: wish.clone(),
                op_id: uuid::Uuid::new_v4().to_string(),
                asked: AskedRecord::of(asked),
                owner: self.owner.clone(),
                hooked: self.hooks.is_some(),
                now,
                lease_until: self.lease_until(now),
            };
            let (verdict, record) = match self.store.begin(start).await? {
                Began::Started { record, before } => {
                    let ran = self.carry(record.clone(), before, patience).await;
                    return Ok(Undertaken::Ran(ran, record));
                }
                Began::Untold(record) => {
                    self.catch_up(&record).await?;
                    continue;
                }
                Began::Stands { verdict, record } => (*verdict, record),
            };
            match (verdict, record) {
                (Verdict::Refuse(failure), _) => return Err(failure),
                (Verdict::Exists, Some(record)) => return Ok(Undertaken::Exists(record)),
                (Verdict::Running(op), Some(record)) => {
                    let promised = op.asynchronous || patience != Patience::Waits;
                    if promised || self.store.promise(&record).await? {
                        return Ok(Undertaken::Running(op, record));
                    }
                }
                (Verdict::Halt, Some(record)) => self.halt(&record).await?,
                (Verdict::Start | Verdict::Exists | Verdict::Running(_) | Verdict::Halt, _) => {
                    return Err(StoreError::Form("a verdict without a record".to_owned()).into());
                }
            }
        }
    }

    pub(crate) fn lease_until(&self, now: i64) -> i64 {
        now.saturating_add(i64::try_from(self.lease.as_millis()).unwrap_or(i64::MAX))
    }
}
