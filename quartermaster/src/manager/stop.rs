//! The end of the doors: ask, wait, cut.
//!
//! Connections hold handles of it. The rule: whoever serves a connection watches both signals, so that
//! `drain` always returns within the grace period.

use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

#[derive(Debug, Clone)]
pub(super) struct Stop {
    /// Finish what is running and take nothing new.
    pub(super) asked: CancellationToken,
    /// Leave at once.
    pub(super) cut: CancellationToken,
    pub(super) tasks: TaskTracker,
}

impl Stop {
    pub(super) fn new(asked: CancellationToken) -> Self {
        Self {
            asked,
            cut: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    /// Waits for every connection for the grace period, then cuts the rest and says how many.
    pub(super) async fn drain(self, grace: Duration) -> usize {
        let Self { asked, cut, tasks } = self;
        asked.cancel();
        tasks.close();
        let left = match tokio::time::timeout(grace, tasks.wait()).await {
            Ok(()) => 0,
            Err(_) => tasks.len(),
        };
        cut.cancel();
        tasks.wait().await;
        left
    }
}
