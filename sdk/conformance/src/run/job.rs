//! A case on a plan, and the crew that executes all of them.

use super::{Listener, unfinished};
use crate::case::{Case, How, Running};
use crate::clean::{self, Leftover};
use crate::event::Event;
use crate::ledger::Owner;
use crate::report::CaseResult;
use crate::verdict::{Stop, Verdict};
use crate::world::{Scene, Stage, World};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// A case on a plan, or on the whole broker.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) case: &'static Case,
    stage: Option<Arc<Stage>>,
}

impl Job {
    /// `offering/plan`.
    pub(super) fn label(&self) -> Option<String> {
        self.stage.as_ref().map(|stage| stage.plan.label())
    }
}

/// Jobs that run one after the other, each with its place in the report.
type Lane = Vec<(usize, Job)>;

/// Every job, in the order of the report.
pub(super) fn list(scene: &Scene, wanted: &[&'static Case]) -> Vec<Job> {
    let mut jobs = Vec::new();
    for case in wanted.iter().copied() {
        if case.per_plan() && !scene.plans.is_empty() {
            jobs.extend(scene.plans.iter().map(|stage| Job {
                case,
                stage: Some(Arc::clone(stage)),
            }));
        } else {
            jobs.push(Job { case, stage: None });
        }
    }
    jobs
}

/// Executes the jobs.
pub(super) struct Crew {
    scene: Arc<Scene>,
    listener: Listener,
    jobs: Vec<Job>,
    results: Vec<Option<CaseResult>>,
    running: JoinSet<()>,
    cleaning: JoinSet<Vec<Leftover>>,
}

impl Crew {
    pub(super) fn new(scene: Arc<Scene>, listener: Listener, jobs: Vec<Job>) -> Self {
        Self {
            results: vec![None; jobs.len()],
            scene,
            listener,
            jobs,
            running: JoinSet::new(),
            cleaning: JoinSet::new(),
        }
    }

    /// Runs everything; false when it was cancelled.
    pub(super) async fn work(&mut self, cancel: &CancellationToken) -> bool {
        let permits = Arc::new(Semaphore::new(self.scene.options.parallel.max(1)));
        let (sender, mut done) = mpsc::unbounded_channel();
        for lane in self.lanes() {
            let (scene, listener) = (Arc::clone(&self.scene), Arc::clone(&self.listener));
            let (permits, sender) = (Arc::clone(&permits), sender.clone());
            self.running.spawn(async move {
                for (index, job) in lane {
                    // The semaphore is never closed, so waiting for a permit cannot fail.
                    let _permit = permits.acquire().await;
                    let result = execute(&scene, &listener, index, &job).await;
                    // Nobody listens any more after an interruption.
                    let _ = sender.send((index, result));
                }
            });
        }
        drop(sender);
        loop {
            tokio::select! {
                finished = done.recv() => match finished {
                    Some((index, result)) => self.finished(index, result),
                    None => return true,
                },
                () = cancel.cancelled() => {
                    self.running.shutdown().await;
                    return false;
                }
            }
        }
    }

    fn finished(&mut self, index: usize, result: CaseResult) {
        self.results[index] = Some(result);
        let left = self.scene.ledger.of(Owner::Job(index));
        if !left.is_empty() {
            let scene = Arc::clone(&self.scene);
            self.cleaning
                .spawn(async move { clean::clean(&scene, left).await });
        }
    }

    /// Waits for the cleaning of single cases.
    pub(super) async fn leftovers(&mut self) -> Vec<Leftover> {
        let mut leftovers = Vec::new();
        while let Some(done) = self.cleaning.join_next().await {
            leftovers.extend(done.unwrap_or_default());
        }
        leftovers
    }

    /// The results in order. Watching cases are judged last, over the whole run.
    pub(super) fn results(self, interrupted: bool) -> Vec<CaseResult> {
        let reason = if interrupted {
            "the run was interrupted"
        } else {
            "the suite itself broke off in this case; please report it"
        };
        let scene = self.scene;
        self.jobs
            .iter()
            .zip(self.results)
            .map(|(job, result)| match (result, job.case.how) {
                (Some(result), _) => result,
                (None, How::Watch(_)) => {
                    let (check, note) = scene.watch.verdict(job.case.id);
                    let mut result = judged(job, &check);
                    if !note.is_empty() {
                        result.notes.push(note);
                    }
                    result
                }
                (None, _) => unfinished(job, reason),
            })
            .collect()
    }

    /// Jobs that must run one after the other stand in one lane.
    fn lanes(&self) -> Vec<Lane> {
        let mut shared: Vec<(Option<String>, Lane)> = Vec::new();
        let mut single = Vec::new();
        for (index, job) in self.jobs.iter().enumerate() {
            match job.case.how {
                How::Watch(_) => {}
                How::Once(_) | How::Own(_) => single.push(vec![(index, job.clone())]),
                How::Shared(_) => {
                    let plan = job.stage.as_ref().map(|stage| stage.plan.id.clone());
                    match shared.iter_mut().find(|(of, _)| *of == plan) {
                        Some((_, lane)) => lane.push((index, job.clone())),
                        None => shared.push((plan, vec![(index, job.clone())])),
                    }
                }
            }
        }
        // The long lanes first: they decide how long the run takes.
        shared
            .into_iter()
            .map(|(_, lane)| lane)
            .chain(single)
            .collect()
    }
}

async fn execute(scene: &Arc<Scene>, listener: &Listener, index: usize, job: &Job) -> CaseResult {
    let id = job.case.id;
    listener(Event::Started {
        id,
        plan: job.label(),
    });
    let started = Instant::now();
    let mut world = World::new(Arc::clone(scene), job.stage.clone(), Owner::Job(index));
    let spoken = scene.target.api_version.minor;
    let check = if spoken < job.case.since {
        Err(Stop::skip(format!(
            "it is part of OSB 2.{} and the run speaks 2.{spoken}",
            job.case.since
        )))
    } else if job.case.per_plan() && job.stage.is_none() {
        Err(Stop::skip("the catalog has no plan that can be called"))
    } else {
        code(job.case, &mut world).await
    };
    let mut result = judged(job, &check);
    result.notes = world.notes;
    result.millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    if scene.options.keep_evidence {
        result.evidence = world.trail;
    }
    listener(Event::Finished {
        id,
        plan: job.label(),
        verdict: result.verdict.clone(),
    });
    result
}

fn code<'a>(case: &Case, world: &'a mut World) -> Running<'a> {
    match case.how {
        How::Once(code) | How::Shared(code) | How::Own(code) => code(world),
        How::Watch(_) => Box::pin(async { Ok(()) }),
    }
}

fn judged(job: &Job, check: &Result<(), Stop>) -> CaseResult {
    let verdict = Verdict::of(job.case.level, check);
    let mut result = CaseResult::new(job.case, job.label(), verdict);
    if let Err(Stop::Failed(findings)) = check {
        result.findings.clone_from(findings);
        result.fix = Some(job.case.fix);
    }
    result
}
