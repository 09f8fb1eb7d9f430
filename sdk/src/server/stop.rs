//! The end of a server: ask, wait, cut.
//!
//! One value per listener; its connections hold handles of it. The rule: whoever serves a connection
//! watches both signals, so that `drain` always returns within the grace period.

use std::time::Duration;
use tokio_util::sync::{CancellationToken, DropGuard, WaitForCancellationFutureOwned};
use tokio_util::task::TaskTracker;

/// How a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped {
    /// Connections that still had a request running when the grace period ended.
    pub cut: usize,
}

/// The side that ends.
#[derive(Debug)]
pub(super) struct Stop {
    handle: Handle,
    /// A server future that is dropped in the middle leaves no connection behind.
    _guard: DropGuard,
}

/// The side that watches.
#[derive(Debug, Clone)]
pub(super) struct Handle {
    /// Finish what is running and take nothing new.
    pub(super) asked: CancellationToken,
    /// Leave at once.
    pub(super) cut: CancellationToken,
    pub(super) tasks: TaskTracker,
}

impl Stop {
    pub(super) fn new() -> Self {
        let cut = CancellationToken::new();
        Self {
            _guard: cut.clone().drop_guard(),
            handle: Handle {
                // A cut is also a request to stop.
                asked: cut.child_token(),
                cut,
                tasks: TaskTracker::new(),
            },
        }
    }

    pub(super) fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Ready when the stop was asked for.
    pub(super) fn asked(&self) -> WaitForCancellationFutureOwned {
        self.handle.asked.clone().cancelled_owned()
    }

    /// Asks every connection to end, waits for the grace period, then cuts the rest.
    pub(super) async fn drain(self, grace: Duration) -> Stopped {
        let Handle { asked, cut, tasks } = &self.handle;
        asked.cancel();
        tasks.close();
        let left = match tokio::time::timeout(grace, tasks.wait()).await {
            Ok(()) => 0,
            Err(_) => tasks.len(),
        };
        cut.cancel();
        tasks.wait().await;
        Stopped { cut: left }
    }
}
