//! Runs the cases against a platform: listens, registers a broker per case, executes, cleans up, reports.
//!
//! Called by `smctl verify platform` and by tests. The rule: whatever ends the run, the driver is asked to remove every
//! broker that was registered, with all it has, before `run` returns.

mod job;

use super::broker::Server;
use super::cases;
use super::driver::{Driver, State, Wish};
use super::options::Options;
use super::world::Scene;
use crate::event::Event;
use crate::report::{Report, Subject, Summary};
use crate::{ApiVersion, Listener};
use job::Crew;
use std::sync::Arc;
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// The run cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scripted brokers cannot listen. The caller chooses another address.
    #[error("the scripted brokers cannot listen on {address}")]
    Listen {
        /// Where they should listen.
        address: std::net::SocketAddr,
        /// Why they cannot.
        #[source]
        source: std::io::Error,
    },
    /// The platform does not answer. The caller checks its address, or the driver.
    #[error("the platform cannot be reached: {0}")]
    Unreachable(String),
    /// The platform does not know us. The caller checks the credentials.
    #[error("the platform refuses: {0}")]
    Refused(String),
    /// Cancelled before the first case.
    #[error("interrupted before the first case")]
    Cancelled,
}

/// Judges the platform behind `driver`, which reports call `name`. Ends early, with what is known so far, when `cancel`
/// is cancelled.
pub async fn run(
    name: String,
    driver: Arc<dyn Driver>,
    options: Options,
    listener: Listener,
    cancel: CancellationToken,
) -> Result<Report, RunError> {
    let started = Instant::now();
    let server = Server::start(options.listen).await;
    let server = server.map_err(|source| RunError::Listen {
        address: options.listen,
        source,
    })?;
    let told = tokio::select! {
        told = driver.fulfil(Wish::Hello) => told,
        () = cancel.cancelled() => return Err(RunError::Cancelled),
    };
    match told.state {
        State::Succeeded => {}
        State::Refused => return Err(RunError::Refused(told.description)),
        _ => return Err(RunError::Unreachable(told.description)),
    }
    let wanted: Vec<_> = cases::all().filter(|case| options.wants(case.id)).collect();
    listener(Event::Planned {
        total: wanted.iter().filter(|case| !case.watches()).count(),
        plans: Vec::new(),
    });
    let url = options.public_url.clone();
    let url = url.unwrap_or_else(|| format!("http://{}", server.address));
    let scene = Arc::new(Scene { driver, options });
    let mut crew = Crew::new(scene, server, url, listener, wanted);
    let interrupted = !crew.work(&cancel).await;
    let leftovers = crew.clean().await;
    let calls = crew.calls();
    let results = crew.results(&calls, interrupted);
    Ok(Report {
        subject: Subject::Platform,
        url: name,
        api_version: ApiVersion::LATEST.to_string(),
        plans: Vec::new(),
        summary: Summary::of(&results),
        results,
        leftovers,
        interrupted,
        requests: u64::try_from(calls.len()).unwrap_or(u64::MAX),
        millis: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}
