//! Jobs waiting for a thread: the SQLite writer takes all of them at once, readers one by one.
//!
//! The rule that keeps it right: after `close` nothing gets in, and what is in is still handed
//! out, so closing drains.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub(crate) struct Queue<J> {
    state: Mutex<State<J>>,
    ready: Condvar,
}

struct State<J> {
    jobs: VecDeque<J>,
    closed: bool,
}

impl<J> Queue<J> {
    pub(crate) fn new() -> Self {
        let state = State {
            jobs: VecDeque::new(),
            closed: false,
        };
        Self {
            state: Mutex::new(state),
            ready: Condvar::new(),
        }
    }

    /// Adds a job, or gives it back when the queue is closed.
    pub(crate) fn push(&self, job: J) -> Result<(), J> {
        let mut state = self.lock();
        if state.closed {
            return Err(job);
        }
        state.jobs.push_back(job);
        drop(state);
        self.ready.notify_one();
        Ok(())
    }

    /// Waits for a job. `None`: closed and empty.
    pub(crate) fn pop(&self) -> Option<J> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                return Some(job);
            }
            if state.closed {
                return None;
            }
            state = self
                .ready
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for jobs and takes up to `most` of them. Empty: closed and empty.
    pub(crate) fn take(&self, most: usize) -> Vec<J> {
        let mut state = self.lock();
        while state.jobs.is_empty() && !state.closed {
            state = self
                .ready
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        let n = state.jobs.len().min(most);
        state.jobs.drain(..n).collect()
    }

    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.ready.notify_all();
    }

    /// A panic elsewhere cannot leave a queue half changed, so a poisoned lock is as good as any.
    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
