//! How a subscription ends other than by its holder. The follower decides it, the holder hears of it.
//!
//! The rule: the first reason stays, and once there is one nothing more is handed out, not even what
//! already waits: whoever was cut comes back with its revision and gets that again.

use std::sync::OnceLock;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// Why a subscription is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// It did not take its messages in time.
    Slow,
    /// What comes next for it is no longer kept.
    Behind,
    /// The stream was stopped.
    Stopped,
    /// Its platform was removed.
    Removed,
}

impl End {
    /// The word in metrics and logs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Slow => "slow",
            Self::Behind => "behind",
            Self::Stopped => "stopped",
            Self::Removed => "removed",
        }
    }
}

/// A subscription's end, seen from both sides.
#[derive(Debug, Default)]
pub(crate) struct Fate {
    reason: OnceLock<End>,
    over: CancellationToken,
}

impl Fate {
    /// Ends it. Later reasons do not count.
    pub(crate) fn seal(&self, reason: End) {
        if self.reason.set(reason).is_ok() {
            self.over.cancel();
        }
    }

    /// The reason, when it is over.
    pub(crate) fn reason(&self) -> Option<End> {
        self.reason.get().copied()
    }

    /// Done as soon as it is over.
    pub(crate) fn over(&self) -> WaitForCancellationFutureOwned {
        self.over.clone().cancelled_owned()
    }
}
