//! Reads on the caller's own thread: a few rows by their keys take less time than waking another thread does.
//!
//! The rule that keeps it right: a connection is lent to one caller at a time and comes back before the caller
//! waits for anything, so at most as many callers as there are connections are ever held up, each for as long as
//! SQLite needs to follow an index. Who finds none free goes to the readers' threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::bind::step;
use crate::drive;
use crate::error::Error;
use crate::tx::Tx;

type Open = Box<dyn Fn() -> Result<Connection, Error> + Send + Sync>;

pub(crate) struct Near {
    open: Open,
    /// There are no more connections than this.
    most: usize,
    state: Mutex<State>,
    back: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Connection>,
    lent: usize,
    closed: bool,
}

impl Near {
    /// Connections are opened when they are first needed.
    pub(crate) fn new(most: usize, open: Open) -> Self {
        Self {
            open,
            most,
            state: Mutex::default(),
            back: Condvar::new(),
        }
    }

    /// Runs a closure that reads, in one snapshot. `None`: no connection is free.
    pub(crate) fn read<T, E, F>(&self, f: F) -> Option<Result<T, E>>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E>,
        E: From<Error>,
    {
        let lent = self.lend()?;
        let conn = lent.conn.as_ref()?;
        if let Err(error) = step(conn, "BEGIN") {
            return Some(Err(E::from(error)));
        }
        let outcome = run(conn, f);
        if !conn.is_autocommit() {
            // There is nothing to lose; if it fails, the next BEGIN says so.
            drop(step(conn, "ROLLBACK"));
        }
        Some(outcome)
    }

    fn lend(&self) -> Option<Lent<'_>> {
        let mut state = self.lock();
        if state.closed {
            return None;
        }
        let idle = state.idle.pop();
        if idle.is_none() && state.lent >= self.most {
            return None;
        }
        state.lent += 1;
        drop(state);
        // From here on the place is given back whatever happens.
        let mut lent = Lent {
            near: self,
            conn: idle,
        };
        if lent.conn.is_none() {
            // The readers' threads can say what is wrong with the file.
            lent.conn = (self.open)().ok();
        }
        lent.conn.is_some().then_some(lent)
    }

    /// Lends nothing more and returns when all connections are closed.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        while state.lent > 0 {
            state = self
                .back
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state.idle.clear();
    }

    /// A panic elsewhere cannot leave the state half changed.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that finds its way back.
struct Lent<'n> {
    near: &'n Near,
    conn: Option<Connection>,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut state = self.near.lock();
        state.lent -= 1;
        state.idle.extend(self.conn.take());
        if state.closed {
            self.near.back.notify_all();
        }
    }
}

/// Runs a closure whose statements never have to be waited for.
pub(crate) fn run<T, E, F>(conn: &Connection, f: F) -> Result<T, E>
where
    F: AsyncFnOnce(&Tx<'_>) -> Result<T, E>,
    E: From<Error>,
{
    // What the closure could leave broken is its own; the connection is put right by whoever called.
    catch_unwind(AssertUnwindSafe(move || {
        let tx = Tx::sqlite(conn);
        let outcome = drive::at_once(f(&tx)).unwrap_or_else(|strayed| Err(E::from(strayed)));
        tx.verdict(outcome)
    }))
    .unwrap_or_else(|_| Err(E::from(Error::Panicked)))
}
