//! A thread that drives connections: its slots, and on the first ones the combiners.
//!
//! The rule that keeps it right: it ends when the jobs are closed and done, its connections are
//! closed before it ends, and `alive` goes last, so that whoever waits for that knows the rest.

use std::rc::Rc;
use std::sync::Arc;
use std::thread;

use tokio::sync::watch;
use tokio::task::LocalSet;

use super::Jobs;
use super::combine::Combining;
use super::connect::Connector;
use super::slot::Slot;
use crate::error::Error;

pub(crate) struct Thread {
    pub(crate) jobs: Jobs,
    pub(crate) combining: Vec<Combining>,
    pub(crate) connector: Connector,
    /// Connections of this thread.
    pub(crate) slots: usize,
    /// Connections of all threads.
    pub(crate) among: usize,
    pub(crate) alive: watch::Sender<()>,
}

impl Thread {
    pub(crate) fn start(self) -> Result<(), Error> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Error::unavailable(format!("no runtime: {}", error.kind())))?;
        thread::Builder::new()
            .name("db-postgres".to_owned())
            .spawn(move || {
                let Self {
                    jobs,
                    combining,
                    connector,
                    slots,
                    among,
                    alive,
                } = self;
                let connector = Rc::new(connector);
                let local = LocalSet::new();
                for _ in 0..slots {
                    let (jobs, slot) = (Arc::clone(&jobs), Slot::new(Rc::clone(&connector)));
                    local.spawn_local(async move { slot.run(&jobs, among).await });
                }
                for loop_of_one in combining {
                    local.spawn_local(loop_of_one.run(Rc::clone(&connector)));
                }
                runtime.block_on(local);
                drop((runtime, alive));
            })
            .map(drop)
            .map_err(|error| Error::unavailable(format!("no thread: {}", error.kind())))
    }
}
