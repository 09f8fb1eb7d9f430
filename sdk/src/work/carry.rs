//! Carries one operation from its stored intent to its stored outcome.
//!
//! The first part runs while the request waits; when the author answers `later` and the platform can
//! wait, the rest runs on a task of its own. Nothing here is cut short by a caller that hangs up:
//! the endpoint already runs on its own task.

use super::caught::caught;
use super::halt::Registered;
use super::{Engine, outcome};
use crate::broker::erased::Done;
use crate::broker::failure::Failure;
use crate::broker::outcome::{Job, Later, Outcome};
use crate::life::async_required;
use crate::record::{Made, Record};
use crate::store::{Renewed, now_ms};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

/// Whether the platform can wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// It accepts 202.
    Waits,
    /// It wants an answer now; work for later is refused.
    Refuses,
    /// 202 would be of no use (credentials could never be fetched): work for later is awaited.
    Awaits,
}

/// What the request is told.
#[derive(Debug)]
pub(crate) enum Ran {
    /// Done, stored.
    Now(Done),
    /// Goes on.
    Accepted { dashboard_url: Option<String> },
    /// Not done.
    Failed(Failure),
}

/// Why work was given up without an outcome.
enum Left {
    /// A delete wants it to stop.
    Halted,
    /// This process is stopping.
    Stopping,
    /// Another process has it.
    Lost,
}

impl Engine {
    /// Runs the operation of a record whose intent is stored. Whatever is not the way of a plain success
    /// goes to the heap by itself, so that it does not make every request large.
    pub(super) async fn carry(
        self: &Arc<Self>,
        record: Arc<Record>,
        before: Option<Box<Record>>,
        patience: Patience,
    ) -> Ran {
        let registered = self.register(&record.key);
        let prepared = match self.prepare(&record).await {
            Ok(prepared) => prepared,
            Err(failure) => {
                return Box::pin(self.refuse(&record, before.as_deref(), failure)).await;
            }
        };
        let reply = self
            .attend(&record, &registered, caught(prepared), None)
            .await;
        let later = match reply {
            Err(left) => return Ran::Failed(Box::pin(self.leave(&record, &left)).await),
            Ok(Err(failure)) if failure.refuses() => {
                return Box::pin(self.refuse(&record, before.as_deref(), failure)).await;
            }
            Ok(reply) => match reply {
                Err(failure) => return Ran::Failed(Box::pin(self.fail(&record, failure)).await),
                Ok(Outcome::Now(done)) => return self.finish(&record, done).await,
                Ok(Outcome::Later(later)) => later,
            },
        };
        match patience {
            Patience::Refuses => {
                let failure = async_required();
                Box::pin(self.refuse(&record, before.as_deref(), failure)).await
            }
            Patience::Awaits => Box::pin(self.drive(&record, registered, later.job)).await,
            Patience::Waits => Box::pin(self.accept(record, registered, later)).await,
        }
    }

    /// Tells the platform to wait and lets the job go on by itself.
    async fn accept(
        self: &Arc<Self>,
        record: Arc<Record>,
        registered: Registered,
        later: Later<Done>,
    ) -> Ran {
        let mut record = Arc::unwrap_or_clone(record);
        let Later { job, dashboard_url } = later;
        let made = dashboard_url.clone().map(|url| Made {
            dashboard_url: Some(url),
            ..record.made.clone()
        });
        match self.store.accept(&record, made.as_ref()).await {
            Ok(true) => {}
            Ok(false) => return Ran::Failed(self.leave(&record, &Left::Lost).await),
            Err(error) => return Ran::Failed(error.into()),
        }
        record.made = made.unwrap_or(record.made);
        if let Some(op) = &mut record.op {
            op.asynchronous = true;
        }
        let engine = self.clone();
        self.tasks.spawn(async move {
            engine.drive(&record, registered, job).await;
        });
        Ran::Accepted { dashboard_url }
    }

    /// Runs a job to its end.
    async fn drive(
        self: &Arc<Self>,
        record: &Record,
        registered: Registered,
        job: Job<Done>,
    ) -> Ran {
        let limit = self.time_left(record);
        match self
            .attend(record, &registered, caught(job), Some(limit))
            .await
        {
            Err(left) => Ran::Failed(self.leave(record, &left).await),
            Ok(Ok(done)) => self.finish(record, done).await,
            Ok(Err(failure)) => Ran::Failed(self.fail(record, failure).await),
        }
    }

    /// Waits for a future of the author's while keeping the lease. `Err`: it was dropped unfinished.
    async fn attend<T>(
        &self,
        record: &Record,
        registered: &Registered,
        work: impl Future<Output = Result<T, Failure>>,
        limit: Option<Duration>,
    ) -> Result<Result<T, Failure>, Left> {
        let mut work = pin!(work);
        let mut limit = pin!(async {
            match limit {
                Some(limit) => tokio::time::sleep(limit).await,
                None => std::future::pending().await,
            }
        });
        // A request that waits is let finish when the process stops; a job is taken up again later.
        let detached = record.attempts > 1 || record.op.as_ref().is_some_and(|op| op.asynchronous);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return Ok(done),
                () = registered.running.halt.cancelled() => return Err(Left::Halted),
                () = self.stop.cancelled(), if detached => return Err(Left::Stopping),
                () = &mut limit => {
                    return Ok(Err(Failure::broken("the operation took longer than its plan allows")));
                }
                () = tokio::time::sleep(self.lease / 3) => {
                    match Box::pin(self.store.renew(record, self.lease_until(now_ms()))).await {
                        Ok(Renewed::Held) => {}
                        Ok(Renewed::Halt) => return Err(Left::Halted),
                        Ok(Renewed::Lost) => return Err(Left::Lost),
                        Err(error) => tracing::warn!(%error, instance.id = %record.key.instance, "lease not renewed"),
                    }
                }
            }
        }
    }

    /// Stores a success.
    async fn finish(&self, record: &Record, done: Done) -> Ran {
        if let Done::Bound(binding) = &done {
            let (offering, _) = self.known(record);
            let problems = binding.problems(&offering);
            if !problems.is_empty() {
                let what: Vec<String> = problems
                    .iter()
                    .map(|problem| format!("{}: {}", problem.path, problem.message))
                    .collect();
                let failure = Failure::broken(format!(
                    "the broker made a binding that breaks the protocol: {}",
                    what.join("; ")
                ));
                return Ran::Failed(Box::pin(self.fail(record, failure)).await);
            }
        }
        let settled = outcome::succeeded(record, &done, self.hooks.is_some());
        match self.store.settle(record, &settled, now_ms()).await {
            Ok(true) => {
                Box::pin(self.announce(record, &settled)).await;
                Ran::Now(done)
            }
            Ok(false) => Ran::Failed(Box::pin(self.leave(record, &Left::Lost)).await),
            Err(error) => Ran::Failed(error.into()),
        }
    }

    /// Stores a failure after which something may be left.
    async fn fail(&self, record: &Record, mut failure: Failure) -> Failure {
        crate::observe::failure(crate::observe::verb_of(record), record, &mut failure);
        let settled = outcome::failed(record, &failure, self.hooks.is_some());
        match self.store.settle(record, &settled, now_ms()).await {
            Ok(true) => self.announce(record, &settled).await,
            Ok(false) => return self.leave(record, &Left::Lost).await,
            Err(error) => return error.into(),
        }
        failure
    }

    /// Takes the intent back: nothing was done, nothing changes.
    async fn refuse(&self, record: &Record, before: Option<&Record>, failure: Failure) -> Ran {
        // Nobody waits for a refusal of work that was taken up again: it ends as a failure.
        if record.attempts > 1 {
            return Ran::Failed(self.fail(record, failure).await);
        }
        match self.store.undo(record, before).await {
            Ok(true) => {}
            // Somebody polls it: it must end as something.
            Ok(false) => return Ran::Failed(self.fail(record, failure).await),
            Err(error) => return Ran::Failed(error.into()),
        }
        // A create that a delete had halted is due again.
        self.wake.notify_one();
        Ran::Failed(failure)
    }

    /// Gives work up without an outcome.
    async fn leave(&self, record: &Record, left: &Left) -> Failure {
        let noun = record.key.noun();
        let (due_at, failure) = match left {
            // The delete that asked for it comes first.
            Left::Halted => (
                self.lease_until(now_ms()),
                Failure::busy(format!("the {noun} was deleted while it was being created")),
            ),
            Left::Stopping => (0, Failure::broken("the broker is stopping")),
            Left::Lost => {
                tracing::warn!(instance.id = %record.key.instance, "another process took this work over");
                return Failure::busy(format!("another process works on the {noun}"));
            }
        };
        if let Err(error) = self.store.release(record, due_at).await {
            tracing::warn!(%error, instance.id = %record.key.instance, "lease not released");
        }
        failure
    }

    /// What is left of the time that the plan allows.
    fn time_left(&self, record: &Record) -> Duration {
        let (_, plan) = self.known(record);
        let all = plan
            .maximum_polling_duration
            .map_or(self.deadline, Duration::from_secs);
        let started = record.op.as_ref().map_or(0, |op| op.started_at);
        let spent = u64::try_from(now_ms().saturating_sub(started)).unwrap_or(0);
        all.saturating_sub(Duration::from_millis(spent))
    }
}
