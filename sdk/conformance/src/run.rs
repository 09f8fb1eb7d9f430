//! Runs the cases: reads the catalog, chooses plans and cases, executes, cleans up, reports.
//!
//! Called by `smctl verify` and by tests. Cases on the instance that a plan shares run one after the other; all
//! others run beside them, up to `Options::parallel` at a time. The rule: whatever ends the run, what it created
//! is deleted before `run` returns.

mod job;
mod preflight;

pub use preflight::RunError;

use crate::case::Case;
use crate::client::Client;
use crate::event::Event;
use crate::report::{CaseResult, Report, Subject, Summary};
use crate::watch::Watch;
use crate::world::{Scene, Stage};
use crate::{Options, Target, Verdict, cases, clean, plan};
use job::{Crew, Job};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

/// Receives news of the run.
pub type Listener = Arc<dyn Fn(Event) + Send + Sync>;

/// Judges a broker. Ends early, with what is known so far, when `cancel` is cancelled.
pub async fn run(
    target: Target,
    options: Options,
    listener: Listener,
    cancel: CancellationToken,
) -> Result<Report, RunError> {
    let started = Instant::now();
    let client = Client::new(&target).map_err(RunError::Tls)?;
    let catalog = preflight::catalog(&client, &cancel).await?;
    let json = catalog.json.clone().unwrap_or_default();
    let plans = preflight::choose(plan::all(&json, &options), &options)?;
    let labels: Vec<String> = plans.iter().map(plan::Plan::label).collect();
    let wanted: Vec<&'static Case> = cases::all().filter(|case| options.wants(case.id)).collect();
    let stages = plans.into_iter().map(|plan| {
        Arc::new(Stage {
            plan,
            instance: OnceCell::new(),
            binding: OnceCell::new(),
        })
    });
    let scene = Arc::new(Scene {
        target,
        options,
        client,
        catalog,
        plans: stages.collect(),
        ledger: crate::ledger::Ledger::default(),
        watch: Watch::new(&wanted),
    });

    let jobs = job::list(&scene, &wanted);
    listener(Event::Planned {
        total: jobs.len(),
        plans: labels.clone(),
    });
    let mut crew = Crew::new(Arc::clone(&scene), Arc::clone(&listener), jobs);
    let interrupted = !crew.work(&cancel).await;
    listener(Event::Cleaning {
        left: scene.ledger.all().len(),
    });
    let mut leftovers = crew.leftovers().await;
    let mut rest = scene.ledger.all();
    rest.retain(|resource| !leftovers.iter().any(|left| left.is(resource)));
    leftovers.extend(clean::clean(&scene, rest).await);

    let results = crew.results(interrupted);
    Ok(Report {
        subject: Subject::Broker,
        url: scene.target.url.clone(),
        api_version: scene.target.api_version.to_string(),
        plans: labels,
        summary: Summary::of(&results),
        results,
        leftovers,
        interrupted,
        requests: scene.client.requests(),
        millis: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

/// A result for a case that was not run to its end.
fn unfinished(job: &Job, reason: &str) -> CaseResult {
    let verdict = Verdict::Skipped {
        reason: reason.to_owned(),
    };
    CaseResult::new(job.case, job.label(), verdict)
}
