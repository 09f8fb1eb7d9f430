//! Hands jobs to the connections. [`Engine`](super::Engine) gives, the slots take.
//!
//! The rule that keeps it right: who fell idle last works first. Its caches are warm, and no more
//! connections are opened than are needed at once. After `close` nothing gets in, and what is in
//! is still handed out.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

pub(crate) struct Hand<J> {
    state: Mutex<State<J>>,
}

struct State<J> {
    jobs: VecDeque<J>,
    idle: Vec<oneshot::Sender<J>>,
    closed: bool,
}

impl<J> Hand<J> {
    pub(crate) fn new() -> Self {
        Self {
            state: Mutex::new(State {
                jobs: VecDeque::new(),
                idle: Vec::new(),
                closed: false,
            }),
        }
    }

    /// Gives a job to whoever is idle or next; back when closed.
    pub(crate) fn give(&self, mut job: J) -> Result<(), J> {
        let mut state = self.lock();
        if state.closed {
            return Err(job);
        }
        while let Some(idle) = state.idle.pop() {
            match idle.send(job) {
                Ok(()) => return Ok(()),
                Err(back) => job = back,
            }
        }
        state.jobs.push_back(job);
        Ok(())
    }

    /// Waits for a job. `None`: closed and empty.
    pub(crate) async fn take(&self) -> Option<J> {
        let next = {
            let mut state = self.lock();
            if let Some(job) = state.jobs.pop_front() {
                return Some(job);
            }
            if state.closed {
                return None;
            }
            let (give, next) = oneshot::channel();
            state.idle.push(give);
            next
        };
        next.await.ok()
    }

    /// Takes one of `among` equal shares of what waits, up to `most`, as long as it `fits`. Nothing
    /// waits while somebody is idle.
    pub(crate) fn take_share(
        &self,
        among: usize,
        most: usize,
        fits: impl Fn(&J) -> bool,
    ) -> Vec<J> {
        let mut state = self.lock();
        let share = state.jobs.len().div_ceil(among).min(most);
        let fitting = state
            .jobs
            .iter()
            .take(share)
            .take_while(|job| fits(job))
            .count();
        state.jobs.drain(..fitting).collect()
    }

    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.idle.clear();
    }

    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
