//! `qm-bench osb profile sqlite | postgres [CALL]`: one manager under one call for half a minute, so that a profiler can
//! look at it. Nothing is judged.
//!
//! Calls that need something to ask of (bind, last_operation) get instances first; those that use them up (unbind,
//! deprovision) end when nothing is left, and begin anew.

use super::{Opened, broker, disk, postgres, round::Crowd, verb};
use anyhow::{Context, Result};
use std::sync::Arc;
use std::time::{Duration, Instant};

const CONNECTIONS: usize = 64;
const WHOLE: Duration = Duration::from_secs(30);
/// What is needed before a call is made in this time.
const BEFORE: Duration = Duration::from_secs(2);

pub(super) async fn run(engine: Option<&str>, call: Option<&str>) -> Result<()> {
    let call = call.unwrap_or("provision");
    let at = verb::ALL.iter().position(|verb| verb.name() == call);
    let at = at.with_context(|| format!("there is no call {call}"))?;
    let folder = disk::folder()?;
    let broker = broker::start()?;
    let server = match engine {
        Some("postgres") => Some(postgres::start().await?),
        _ => None,
    };
    let database = server
        .as_ref()
        .map(qm_testkit::postgres::Server::database)
        .transpose()?;
    let url = database.as_ref().map(qm_testkit::postgres::Database::url);
    let opened = Opened::open(&folder.path().join("profile"), url.as_deref(), &broker).await?;
    let door = Arc::new(opened.door()?);
    let pid = opened.manager.served.pid();
    println!("the manager is process {pid}");
    let began = Instant::now();
    while began.elapsed() < WHOLE {
        let mut crowd = Crowd::gather(&door, CONNECTIONS, 0).await?;
        for before in verb::ALL[..at].iter().skip(1) {
            crowd.ask(*before, BEFORE).await?;
        }
        let spent = opened.manager.served.cpu_seconds()?;
        println!("{call} from {:.1} s", began.elapsed().as_secs_f64());
        let left = WHOLE.saturating_sub(began.elapsed()).max(BEFORE);
        let figures = crowd.ask(verb::ALL[at], left).await?;
        let spent = opened.manager.served.cpu_seconds()? - spent;
        println!(
            "to {:.1} s: {:.0}/s, {} answers, {} wrong, {:.0} us of the manager each",
            began.elapsed().as_secs_f64(),
            figures.rate,
            figures.answers,
            figures.errors,
            spent * 1e6 / figures.answers.max(1) as f64
        );
    }
    Ok(())
}
