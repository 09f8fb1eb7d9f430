//! Work of any kind to its end: the request, its repetition while the broker is busy, polls, and the cleaning of
//! orphans.

use super::super::habits::{Flaw, Got, Kind, Poll, Ruling};
use super::{Instance, Reference};
use serde_json::Value;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Between two polls or tries.
pub(super) const PAUSE: Duration = Duration::from_millis(20);

/// One piece of work.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) kind: Kind,
    pub(super) broker: String,
    pub(super) path: String,
    pub(super) service_id: String,
    pub(super) plan_id: String,
    /// The plan that polls name.
    pub(super) poll_plan: String,
    pub(super) limit: Option<Duration>,
    pub(super) body: Option<Value>,
}

/// How work ended.
pub(super) enum End {
    Done(Value),
    /// Asynchronously.
    Polled(Value),
    /// With the last answer.
    Failed(Value),
}

impl Job {
    pub(super) fn of(kind: Kind, instance: &Instance, path: String, body: Option<Value>) -> Self {
        Self {
            kind,
            broker: instance.broker.clone(),
            path,
            service_id: instance.service_id.clone(),
            plan_id: instance.plan_id.clone(),
            poll_plan: instance.plan_id.clone(),
            limit: None,
            body,
        }
    }
}

impl Reference {
    /// Does the work and cleans up after it where the table says so.
    pub(super) async fn perform(&self, job: Job) -> End {
        loop {
            let mut query = vec![("accepts_incomplete", "true")];
            if job.kind.is_delete() {
                query.push(("service_id", job.service_id.as_str()));
                query.push(("plan_id", job.plan_id.as_str()));
            }
            let path = job.path.clone();
            let got = self
                .send(&job.broker, job.kind, path, &query, job.body.clone())
                .await;
            let body = got.object().cloned().unwrap_or_default();
            self.conflict(&job, &got).await;
            let ruling = match self.ruling(job.kind, &got) {
                Ruling::Accepted => match self.poll(&job, body["operation"].as_str()).await {
                    Ok(()) => return End::Polled(body),
                    Err(last) if job.kind == Kind::Update => return End::Failed(last),
                    Err(_) => Ruling::Orphaned,
                },
                ruling => ruling,
            };
            match ruling {
                Ruling::Done | Ruling::Accepted => return End::Done(body),
                Ruling::Busy => sleep(PAUSE).await,
                // Orphan mitigation of a deletion is the deletion itself, again.
                Ruling::Orphaned if job.kind.is_delete() => sleep(PAUSE).await,
                Ruling::Orphaned => {
                    self.clean(&job);
                    return End::Failed(body);
                }
                Ruling::Failed
                    if job.kind.is_delete() && self.has(Flaw::RepeatsRefusedDeletions) =>
                {
                    let (this, job) = (self.clone(), job.clone());
                    tokio::spawn(async move { this.delete_again(&job).await });
                    return End::Failed(body);
                }
                Ruling::Failed => return End::Failed(body),
            }
        }
    }

    async fn delete_again(&self, job: &Job) {
        let query = [
            ("service_id", job.service_id.as_str()),
            ("plan_id", job.plan_id.as_str()),
        ];
        self.send(&job.broker, job.kind, job.path.clone(), &query, None)
            .await;
    }

    /// Another version of the plan may be in the catalog by now.
    async fn conflict(&self, job: &Job, got: &Got) {
        let word = got.object().and_then(|body| body["error"].as_str());
        if word == Some("MaintenanceInfoConflict") && !self.has(Flaw::NoRefetch) {
            self.refresh(&job.broker).await;
        }
    }

    /// Deletes, beside everything else, what a failed creation may have left.
    pub(super) fn clean(&self, job: &Job) {
        let mut job = job.clone();
        job.kind = match job.kind {
            Kind::Bind => Kind::Unbind,
            _ => Kind::Deprovision,
        };
        job.body = None;
        let this = self.clone();
        tokio::spawn(async move {
            if this.has(Flaw::GivesUpOrphans) {
                this.delete_again(&job).await;
            } else {
                Box::pin(this.perform(job)).await;
            }
        });
    }

    /// Polls to the end; the last answer when it failed.
    async fn poll(&self, job: &Job, operation: Option<&str>) -> Result<(), Value> {
        let started = Instant::now();
        let path = format!("{}/last_operation", job.path);
        let mut query = vec![
            ("service_id", job.service_id.as_str()),
            ("plan_id", job.poll_plan.as_str()),
        ];
        if let Some(operation) = operation {
            query.push(("operation", operation));
        }
        loop {
            let over = job.limit.is_some_and(|limit| started.elapsed() >= limit);
            if over && !self.has(Flaw::NoLimit) {
                return Err(Value::Null);
            }
            let got = self
                .send(&job.broker, Kind::Poll, path.clone(), &query, None)
                .await;
            match self.polled(job.kind, &got) {
                Poll::GoOn => sleep(self.pause(&got)).await,
                end => {
                    if self.has(Flaw::PollsAfterTheEnd) {
                        self.send(&job.broker, Kind::Poll, path.clone(), &query, None)
                            .await;
                    }
                    return match end {
                        Poll::Succeeded => Ok(()),
                        _ => Err(got.object().cloned().unwrap_or_default()),
                    };
                }
            }
        }
    }

    fn pause(&self, got: &Got) -> Duration {
        let Got::Answer(_, headers, _) = got else {
            return PAUSE;
        };
        let Some(asked) = headers
            .get("retry-after")
            .and_then(|value| value.to_str().ok())
        else {
            return PAUSE;
        };
        if self.has(Flaw::IgnoresRetryAfter) {
            return PAUSE;
        }
        if let Ok(seconds) = asked.parse() {
            return Duration::from_secs(seconds);
        }
        if self.has(Flaw::IgnoresDates) {
            return PAUSE;
        }
        let then = jiff::fmt::rfc2822::parse(asked).unwrap().timestamp();
        let left = then.duration_since(jiff::Timestamp::now());
        Duration::try_from(left).unwrap_or(PAUSE)
    }
}
