//! What every deed works with, and what every deed gives back.

use crate::lease_clock::LeaseClock;
use crate::{Settings, Words};
use qm_model::operation::Operation;
use qm_model::{Error, Time};
use qm_relay::Relay;
use qm_store::Store;
use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Instant;
use tokio_util::task::TaskTracker;

/// Everything a deed needs. Cheap to clone.
#[derive(Clone)]
pub struct Lifecycle(Arc<Parts>);

/// See [`Lifecycle`].
pub struct Parts {
    pub(crate) store: Store,
    pub(crate) relay: Relay,
    pub(crate) settings: Settings,
    pub(crate) clock: Clock,
    lease_clock: LeaseClock,
    pub(crate) words: Box<dyn Words>,
    pub(crate) identity: crate::identity::State,
    pub(crate) health: crate::health::Cache,
    pub(crate) memory: Arc<crate::views::Memory>,
    tasks: TaskTracker,
}

impl Deref for Lifecycle {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Lifecycle {
    /// Puts the parts together.
    pub fn new(
        store: Store,
        relay: Relay,
        settings: Settings,
        clock: Clock,
        words: Box<dyn Words>,
    ) -> Self {
        Self(Arc::new(Parts {
            identity: crate::identity::State::new(&settings.identity),
            health: crate::health::Cache::default(),
            memory: crate::views::Memory::watching(&store),
            tasks: TaskTracker::new(),
            lease_clock: LeaseClock::new(clock.now()),
            store,
            relay,
            settings,
            clock,
            words,
        }))
    }

    /// Runs a deed on a task of its own, so that a caller who hangs up does not stop it half way.
    ///
    /// # Errors
    /// The deed's own.
    pub async fn detach<T: Send + 'static>(
        &self,
        deed: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        match self.spawn(deed).await {
            Ok(outcome) => outcome,
            Err(broken) => Err(Error::internal(broken)),
        }
    }

    /// The same without waiting for it.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        deed: impl Future<Output = T> + Send + 'static,
    ) -> tokio::task::JoinHandle<T> {
        use tracing::Instrument as _;
        self.tasks.spawn(deed.in_current_span())
    }

    /// Waits for every deed under way. New ones may still begin: close the doors first.
    pub async fn settle(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Whether nothing that lasts should be begun any more: the manager stops.
    pub(crate) fn is_settling(&self) -> bool {
        self.tasks.is_closed()
    }

    /// The present.
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    /// The present by the clock that leases, deadlines and due times of operations are counted by. It does not jump
    /// when the machine's clock does.
    pub fn lease_now(&self) -> Time {
        self.lease_clock.now()
    }

    /// Sets that clock by the database's where replicas share one. Called before the doors open and steadily then.
    ///
    /// # Errors
    /// The database does not answer; the clock goes on as it is.
    pub async fn set_lease_clock(&self) -> Result<(), Error> {
        let asked = Instant::now();
        if let Some(time) = qm_store::operation::time(&self.store).await? {
            self.lease_clock.set(time, asked, asked.elapsed());
        }
        Ok(())
    }

    /// A fresh id. It begins with the time (version 7), so that rows that are written together lie together in the
    /// indexes of ids.
    pub(crate) fn fresh(&self) -> String {
        let [.., a, b, c, d, e, f, g, h, i, j] = uuid::Uuid::new_v4().into_bytes();
        let millis = u64::try_from(self.now().millis()).unwrap_or_default();
        let chance = [a, b, c, d, e, f, g, h, i, j];
        uuid::Builder::from_unix_timestamp_millis(millis, &chance)
            .into_uuid()
            .to_string()
    }
}

/// What time it is. Handed in, so that a test can say.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Time + Send + Sync>);

impl Clock {
    /// A clock of one's own.
    pub fn new(now: impl Fn() -> Time + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The machine's.
    pub fn system() -> Self {
        Self::new(|| Time(jiff::Timestamp::now().as_millisecond()))
    }

    /// The present.
    pub fn now(&self) -> Time {
        (self.0)()
    }
}

/// How the caller wants to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Nothing said: wait, unless the work turns out to last.
    Unspecified,
    /// Wait for the end.
    Sync,
    /// Do not wait.
    Async,
}

/// How the caller wants it done.
#[derive(Debug, Clone)]
pub struct How {
    /// How it wants to wait.
    pub mode: Mode,
    /// On whose behalf it asks, in its own words: brokers are told.
    pub identity: Option<serde_json::Value>,
}

/// What became of a deed.
#[derive(Debug, Clone)]
pub enum Done<T> {
    /// It is done.
    Now(Shown<T>),
    /// It goes on; look at the operation.
    Later(Operation),
}

/// A resource with what was done to it last.
#[derive(Debug, Clone)]
pub struct Shown<T> {
    /// The resource.
    pub resource: T,
    /// The last operation, where it was asked for.
    pub last_operation: Option<Operation>,
}
