//! One at a time for the same thing: of many who miss the same memory one fills it, and the others find it filled.
//!
//! The rule: a few lanes for all things, so that they take no room; who shares one waits a little for nothing.

use std::hash::{BuildHasher, Hash, RandomState};
use tokio::sync::{Mutex, MutexGuard};

const LANES: usize = 64;

/// Lanes to wait in.
pub(crate) struct Turns {
    hasher: RandomState,
    lanes: [Mutex<()>; LANES],
}

impl Turns {
    pub(crate) fn new() -> Self {
        Self {
            hasher: RandomState::new(),
            lanes: [const { Mutex::const_new(()) }; LANES],
        }
    }

    /// Waits for one's turn. Look again afterwards: somebody else may have done the work.
    pub(crate) async fn take(&self, what: impl Hash) -> MutexGuard<'_, ()> {
        #[expect(clippy::cast_possible_truncation, reason = "any bits of it do")]
        let lane = self.hasher.hash_one(what) as usize % LANES;
        self.lanes[lane].lock().await
    }
}
