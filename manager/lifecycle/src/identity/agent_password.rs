//! Passwords that a platform's agent chose, of which it gave us the bcrypt hash. `door` asks for each pair that it does
//! not remember.
//!
//! The rule: bcrypt takes a core for a tenth of a second, so it runs beside the tasks that serve others, on half of the
//! cores at most. Whoever guesses at one credential stands in that credential's line, and names that nobody has share
//! one: of each line one is looked at at a time. So a flood of guesses costs another platform's first call the time of
//! a few, never that of all.

use super::State;
use qm_model::{Error, Secret};
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::{Mutex, MutexGuard, Semaphore};

const LINES: usize = 64;
/// The longest line: who comes then is sent away, before waiting guesses fill the server.
const LONGEST: usize = 512;
/// Compared to when there is no such name: about the usual cost, and no password has this hash.
const NOBODY: &str = "$2b$10$......................7fO5xZ0lyDZlLv7zzbK3R4zPMlBnR1G";

/// Lines to the cores that compute hashes.
pub(super) struct Lines {
    hasher: RandomState,
    lines: [Line; LINES],
    nobody: Mutex<()>,
    cores: Arc<Semaphore>,
}

#[derive(Default)]
struct Line {
    length: AtomicUsize,
    turn: Mutex<()>,
}

/// A place at the head of a line.
pub(super) struct Turn<'l> {
    line: &'l Line,
    _turn: Option<MutexGuard<'l, ()>>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.line.length.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Lines {
    pub(super) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            hasher: RandomState::new(),
            lines: std::array::from_fn(|_| Line::default()),
            nobody: Mutex::default(),
            cores: Arc::new(Semaphore::new(cores.div_ceil(2))),
        }
    }

    /// Waits in the line of a credential. Look again afterwards whether the pair is known by now.
    ///
    /// # Errors
    /// The line is too long.
    pub(super) async fn wait(&self, credential: impl Hash) -> Result<Turn<'_>, Error> {
        #[expect(clippy::cast_possible_truncation, reason = "any bits of it do")]
        let line = &self.lines[self.hasher.hash_one(credential) as usize % LINES];
        // From here on it counts, also if its future is dropped while it waits.
        let mut turn = Turn { line, _turn: None };
        if line.length.fetch_add(1, Ordering::Relaxed) >= LONGEST {
            return Err(Error::Unavailable {
                message: "too many logins with these credentials are being looked at; try again"
                    .to_owned(),
                source: None,
            });
        }
        turn._turn = Some(line.turn.lock().await);
        Ok(turn)
    }
}

/// Whether the password has the hash. Only with a turn: that it is the caller's is what the line is for.
pub(super) async fn is_right(
    state: &State,
    _turn: &Turn<'_>,
    password: &str,
    hash: &Secret<String>,
) -> Result<bool, Error> {
    compare(state, password, hash.expose().clone()).await
}

/// Takes as long as for a name that somebody has, unless others do so just now: then strangers would only keep each
/// other's cores busy.
pub(super) async fn in_vain(state: &State, password: &str) -> Result<(), Error> {
    let Ok(_turn) = state.lines.nobody.try_lock() else {
        return Ok(());
    };
    compare(state, password, NOBODY.to_owned()).await.map(drop)
}

async fn compare(state: &State, password: &str, hash: String) -> Result<bool, Error> {
    let core = Arc::clone(&state.lines.cores);
    let core = core.acquire_owned().await.map_err(Error::internal)?;
    let password = Secret::new(password.to_owned());
    // The core is given back when the work is done, whether or not anybody waits for it.
    let work = move || {
        let right = bcrypt::verify(password.expose(), &hash);
        drop(core);
        right
    };
    let right = tokio::task::spawn_blocking(work)
        .await
        .map_err(Error::internal)?;
    // What is no hash is nobody's: agents can store only what looks like one, and not all of that is.
    Ok(right.unwrap_or(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_has_a_hash_that_is_computed() {
        assert!(!bcrypt::verify("", NOBODY).unwrap());
        let made = bcrypt::hash("x", 4).unwrap();
        assert_eq!(made.len(), NOBODY.len());
        assert!(bcrypt::verify("x", &made).unwrap());
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_sends_away_and_gets_shorter_again() {
        let lines = Arc::new(Lines::new());
        let first = lines.wait("c").await.unwrap();
        let waiting: Vec<_> = (1..LONGEST)
            .map(|_| {
                let lines = Arc::clone(&lines);
                tokio::spawn(async move { lines.wait("c").await.map(drop) })
            })
            .collect();
        while lines
            .lines
            .iter()
            .all(|line| line.length.load(Ordering::Relaxed) < LONGEST)
        {
            tokio::task::yield_now().await;
        }
        assert!(matches!(
            lines.wait("c").await,
            Err(Error::Unavailable { .. })
        ));
        // Those who hang up leave the line.
        for waits in &waiting {
            waits.abort();
        }
        for waits in waiting {
            assert!(waits.await.is_err());
        }
        drop(first);
        lines.wait("c").await.unwrap();
        assert!(
            lines
                .lines
                .iter()
                .all(|line| line.length.load(Ordering::Relaxed) == 0)
        );
    }

    #[test]
    fn one_line_does_not_hold_up_another() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(async {
            let lines = Lines::new();
            let _held = lines.wait(0).await.unwrap();
            let mut through = 0;
            for other in 1..20 {
                let mut wait = std::pin::pin!(lines.wait(other));
                let context = &mut std::task::Context::from_waker(std::task::Waker::noop());
                through += usize::from(wait.as_mut().poll(context).is_ready());
            }
            assert!(through > 10, "{through}");
        });
    }
}
