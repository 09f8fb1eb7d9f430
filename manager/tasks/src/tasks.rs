//! Starts all tasks and stops them.

use crate::Settings;
use qm_lifecycle::Lifecycle;
use qm_model::Chain;
use qm_store::Store;
use std::error::Error;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The tasks of this process.
pub struct Tasks {
    stop: CancellationToken,
    running: TaskTracker,
}

/// What every task works with.
#[derive(Clone)]
pub(crate) struct Kit {
    pub(crate) store: Store,
    pub(crate) deeds: Lifecycle,
    pub(crate) settings: Settings,
    pub(crate) stop: CancellationToken,
    /// Who goes on with operations; a turn takes as many as are free.
    pub(crate) hands: Arc<Semaphore>,
    /// Work that outlasts its turn is waited for at the end.
    pub(crate) running: TaskTracker,
}

impl Tasks {
    /// Starts all tasks. Each takes its first turn at once.
    pub fn start(store: Store, deeds: Lifecycle, settings: Settings) -> Self {
        let stop = CancellationToken::new();
        let running = TaskTracker::new();
        let kit = Kit {
            store,
            deeds,
            settings,
            stop: stop.clone(),
            hands: Arc::new(Semaphore::new(crate::take_up_operations::AT_ONCE)),
            running: running.clone(),
        };
        let every = &kit.settings;
        let turns = [
            (every.take_up_every, "take up operations"),
            (every.refresh_every, "refresh catalogs"),
            (every.trim_every, "trim outbox"),
            (every.expire_every, "expire operations"),
            (every.expire_every, "expire logins"),
            (every.expire_every, "expire audit"),
            (every.measure_every, "expire presence"),
            (every.measure_every, "measure"),
        ];
        let [
            take_up,
            refresh,
            trim,
            operations,
            logins,
            records,
            presence,
            measure,
        ] = turns;
        running.spawn(turn(kit.clone(), take_up, crate::take_up_operations::run));
        running.spawn(turn(kit.clone(), refresh, crate::refresh_catalogs::run));
        running.spawn(turn(kit.clone(), trim, crate::trim_outbox::run));
        running.spawn(turn(kit.clone(), operations, crate::expire_operations::run));
        running.spawn(turn(kit.clone(), logins, crate::expire_logins::run));
        running.spawn(turn(kit.clone(), records, crate::expire_audit::run));
        running.spawn(turn(kit.clone(), presence, crate::expire_presence::run));
        running.spawn(crate::follow_registry::run(kit.clone()));
        running.spawn(turn(kit, measure, crate::measure::run));
        running.close();
        Self { stop, running }
    }

    /// Lets every task end its turn.
    pub async fn stop(&self) {
        self.stop.cancel();
        self.running.wait().await;
    }
}

/// Takes turns until told to stop.
async fn turn<F, E>(kit: Kit, (every, name): (Duration, &'static str), run: impl Fn(Kit) -> F)
where
    F: Future<Output = Result<(), E>>,
    E: Error + 'static,
{
    loop {
        if let Err(error) = run(kit.clone()).await {
            tracing::warn!(task = name, error = %Chain(&error), "a task failed; it will be tried again");
        }
        tokio::select! {
            () = kit.stop.cancelled() => return,
            () = tokio::time::sleep(every) => {}
        }
    }
}
