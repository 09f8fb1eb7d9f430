//! Answers the callers of one commit. The writer calls it after each.
//!
//! Waking a task from a thread outside its runtime costs a system call each time, so those who wait
//! on the same runtime are answered by one task there. The rule that keeps it right: a group answers
//! its callers when it is dropped, so a runtime that stops and drops the task answers them too.

use super::job::Job;
use crate::error::Error;

pub(crate) type Group = Vec<Box<dyn Job>>;

/// So few are answered from here: a task costs about as much.
const FEW: usize = 2;

struct Answers {
    group: Group,
    commit: Result<(), Error>,
}

impl Drop for Answers {
    fn drop(&mut self) {
        for job in self.group.drain(..) {
            job.finish(self.commit.clone());
        }
    }
}

/// Tells everybody in the group how the commit went.
pub(crate) fn finish(mut group: Group, commit: Result<(), Error>) {
    while group.len() > FEW {
        let Some(home) = group.iter().find_map(|job| job.home().cloned()) else {
            break;
        };
        let (neighbours, others) = group
            .into_iter()
            .partition(|job| job.home().is_some_and(|at| at.id() == home.id()));
        let answers = Answers {
            group: neighbours,
            commit: commit.clone(),
        };
        home.spawn(async move { drop(answers) });
        group = others;
    }
    drop(Answers { group, commit });
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    use rusqlite::Connection;
    use tokio::runtime::{Builder, Handle, Runtime};

    use super::super::job::Kind;
    use super::*;

    struct Caller {
        home: Option<Handle>,
        told: Sender<bool>,
    }

    impl Job for Caller {
        fn kind(&self) -> Kind {
            Kind::Statement
        }

        fn home(&self) -> Option<&Handle> {
            self.home.as_ref()
        }

        fn abandoned(&self) -> bool {
            false
        }

        fn run(&mut self, _conn: &Connection) -> bool {
            true
        }

        fn finish(self: Box<Self>, commit: Result<(), Error>) {
            self.told.send(commit.is_ok()).unwrap();
        }
    }

    fn runtime() -> Runtime {
        Builder::new_multi_thread()
            .worker_threads(1)
            .build()
            .unwrap()
    }

    fn callers(homes: impl IntoIterator<Item = Option<Handle>>) -> (Group, Receiver<bool>) {
        let (told, hears) = channel();
        let callers = homes.into_iter().map(|home| {
            let told = told.clone();
            Box::new(Caller { home, told }) as Box<dyn Job>
        });
        (callers.collect(), hears)
    }

    /// How many were answered; ends when nobody is left to answer.
    fn answered(hears: &Receiver<bool>, how: bool) -> usize {
        let next = || hears.recv_timeout(Duration::from_secs(60)).ok();
        std::iter::from_fn(next).filter(|was| *was == how).count()
    }

    #[test]
    fn callers_of_several_runtimes_and_of_none_are_all_answered() {
        let (one, two) = (runtime(), runtime());
        let homes = [Some(one.handle().clone()), None, Some(two.handle().clone())];
        let (group, hears) = callers(homes.into_iter().cycle().take(12));
        finish(group, Ok(()));
        assert_eq!(answered(&hears, true), 12);
    }

    #[test]
    fn a_runtime_that_has_stopped_keeps_nobody_waiting() {
        let stopped = runtime();
        let home = stopped.handle().clone();
        drop(stopped);
        let (group, hears) = callers(std::iter::repeat_n(Some(home), 5));
        finish(group, Err(Error::Closed));
        assert_eq!(answered(&hears, false), 5);
    }
}
