//! Moves the write-ahead log into the file while others write. The writer reports its commits; a
//! thread of its own does the work.
//!
//! The rule that keeps it right: the log starts over only when all of it has been moved and nobody
//! reads from it, and under steady load a thread beside the writer never gets that far. So the
//! thread moves the bulk, and when the log has grown the writer itself moves the short rest
//! between two commits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

/// So many jobs make it worth a look at once: a page that many of them changed is moved once.
const MANY: usize = 3000;
/// Fewer are looked at after this time.
const LATER: Duration = Duration::from_secs(1);
/// So many pages (48 MiB) make the writer help.
const LONG_LOG: i64 = 12_288;

#[derive(Default)]
pub(crate) struct Checkpoint {
    state: Mutex<State>,
    change: Condvar,
    help: AtomicBool,
}

#[derive(Default)]
struct State {
    jobs: usize,
    closed: bool,
}

impl Checkpoint {
    /// The writer calls this after each commit.
    pub(crate) fn written(&self, conn: &Connection, jobs: usize) {
        if self.help.swap(false, Ordering::Relaxed) {
            passive(conn);
        }
        let mut state = self.lock();
        let before = state.jobs;
        state.jobs += jobs;
        let wake = before == 0 || (before < MANY && state.jobs >= MANY);
        drop(state);
        if wake {
            self.change.notify_one();
        }
    }

    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.change.notify_one();
    }

    /// The thread: returns when closed.
    pub(crate) fn run(&self, conn: &Connection) {
        loop {
            let mut state = self.lock();
            while state.jobs == 0 && !state.closed {
                state = self
                    .change
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            let (mut state, _) = self
                .change
                .wait_timeout_while(state, LATER, |state| state.jobs < MANY && !state.closed)
                .unwrap_or_else(PoisonError::into_inner);
            if state.closed {
                // The last connection to close moves the rest and removes the log.
                return;
            }
            state.jobs = 0;
            drop(state);
            if passive(conn).is_some_and(|pages| pages > LONG_LOG) {
                self.help.store(true, Ordering::Relaxed);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Moves what can be moved without waiting for anybody; says how many pages the log has. A
/// failure loses nothing, the log is kept and the next round tries again.
fn passive(conn: &Connection) -> Option<i64> {
    let pages = conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get(1));
    match pages {
        Ok(pages) => Some(pages),
        Err(error) => {
            tracing::warn!(%error, "the write-ahead log could not be moved into the file");
            None
        }
    }
}
