//! A place for one connection and the loop that works through jobs on it.
//!
//! The rule that keeps it right: a job gets a connection that is not inside a transaction. One
//! that is broken or cannot be put right is dropped, and the next job gets a new one.

use std::rc::Rc;
use std::time::Duration;

use super::connect::Connector;
use super::fault::{Again, Failure};
use super::hand::Hand;
use super::job::Job;
use super::session::Session;
use super::statement::Statement;
use crate::error::Error;

/// A transaction that others undid so often has met something worse than bad luck.
const MOST_CONFLICTS: u32 = 60;
/// So many statements travel in one flight at most: who waits behind a lock should not be many.
const MOST_TOGETHER: usize = 8;
/// A server that drops so many fresh connections is not there.
const MOST_LOSSES: u32 = 3;

pub(crate) struct Slot {
    connector: Rc<Connector>,
    session: Option<Session>,
}

impl Slot {
    pub(crate) fn new(connector: Rc<Connector>) -> Self {
        Self {
            connector,
            session: None,
        }
    }

    pub(crate) async fn run(mut self, jobs: &Hand<Job>, slots: usize) {
        while let Some(job) = jobs.take().await {
            match job {
                Job::Closure(work) if work.abandoned() => {}
                Job::Closure(work) => work.run(&mut self).await,
                Job::Statement(first) => {
                    let alike = |job: &Job| matches!(job, Job::Statement(next) if next.travels_with(&first));
                    let more = jobs.take_share(slots, MOST_TOGETHER, alike);
                    let more = more.into_iter().filter_map(Job::into_statement);
                    let mut group: Vec<_> = more.collect();
                    group.insert(0, first);
                    group.retain(|statement| !statement.abandoned());
                    if !group.is_empty() {
                        Statement::run_all(group, &mut self).await;
                    }
                }
            }
        }
        if let Some(session) = self.session {
            session.close().await;
        }
    }

    /// The connection, made anew if there is none that works.
    pub(crate) async fn session(&mut self) -> Result<&Session, Error> {
        let session = match self.session.take() {
            Some(session) if !session.is_closed() => session,
            _ => self.connector.connect().await?,
        };
        Ok(self.session.insert(session))
    }

    pub(crate) fn drop_session(&mut self) {
        self.session = None;
    }
}

/// Counts attempts and says whether there may be another.
#[derive(Default)]
pub(crate) struct Patience {
    conflicts: u32,
    losses: u32,
}

impl Patience {
    /// Waits if that helps. `Err`: it was tried often enough.
    pub(crate) async fn again(&mut self, failure: Failure) -> Result<(), Error> {
        match failure.again {
            None => return Err(failure.error),
            Some(Again::Lost | Again::Stale) => {
                self.losses += 1;
                if self.losses > MOST_LOSSES {
                    return Err(failure.error);
                }
            }
            Some(Again::Conflict) => {
                self.conflicts += 1;
                if self.conflicts > MOST_CONFLICTS {
                    return Err(failure.error);
                }
                // The first time at once; then longer and longer, spread out so that those who
                // met do not meet again.
                if self.conflicts > 1 {
                    let longest = 1_u64 << self.conflicts.min(7);
                    let pause = Duration::from_micros(fastrand(longest * 1000));
                    tokio::time::sleep(pause).await;
                }
            }
        }
        Ok(())
    }
}

/// A number below `limit`. It only spreads retries out, so any source will do.
fn fastrand(limit: u64) -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(limit) % limit.max(1)
}
