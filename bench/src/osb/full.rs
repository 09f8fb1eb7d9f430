//! Memory under load: a manager with 100,000 instances and 1,000 connected platforms, all of which call in turn.
//!
//! The instances are put straight into the database; brokers, platforms and visibilities come over REST. The rule:
//! the most that was seen counts, looked at all the time, on both engines.

use super::{broker, disk, postgres, register, round};
use crate::fill::{self, Depth};
use crate::listener::{self, Listeners};
use crate::manager::{self, Manager};
use crate::report::{Report, Wanted};
use anyhow::{Result, bail};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const PLATFORMS: usize = 1_000;
const INSTANCES: i64 = 100_000;
const CONNECTIONS: usize = 64;
/// Enough rounds for every platform to have called.
const ROUNDS: usize = PLATFORMS.div_ceil(CONNECTIONS);
const LENGTH: Duration = Duration::from_millis(500);
const MIB: f64 = 100.0;
const LOOK_EVERY: Duration = Duration::from_millis(20);

pub(super) async fn measure(report: &mut Report) -> Result<()> {
    let folder = disk::folder()?;
    on(report, "SQLite", &folder.path().join("sqlite"), None).await?;
    let server = postgres::start().await?;
    let database = server.database()?;
    let url = database.url();
    on(
        report,
        "PostgreSQL",
        &folder.path().join("postgres"),
        Some(&url),
    )
    .await
}

async fn on(report: &mut Report, engine: &str, data: &Path, url: Option<&str>) -> Result<()> {
    report.part(&format!(
        "a manager on {engine} with {PLATFORMS} connected platforms and {INSTANCES} instances, {CONNECTIONS} callers"
    ));
    let broker = broker::start()?;
    let manager = Manager::start_as_shipped(data, url).await?;
    let registered = register::register(&manager, broker.address, PLATFORMS).await?;
    drop(manager);
    match url {
        None => fill::sqlite(&data.join("manager.db"), INSTANCES, Depth::Whole)?,
        Some(url) => fill::postgres(url, INSTANCES, Depth::Whole).await?,
    }

    let manager = Manager::start_as_shipped(data, url).await?;
    let memory = |report: &mut Report, when: &str| -> Result<()> {
        report.figure(when, manager.served.resident_mib()?, "MiB", Wanted::Nothing);
        Ok(())
    };
    manager::rest().await;
    memory(report, "memory, nobody connected")?;
    let heads = registered.platforms.iter().map(listener::head);
    let heads = heads.collect::<Result<Vec<_>>>()?;
    let _listeners = Listeners::connect(manager.address(), heads).await?;
    manager::rest().await;
    memory(report, "memory, all platforms connected")?;

    let peak = Peak::watch(manager.served.pid());
    let door = Arc::new(registered.door(&manager)?);
    let (mut answers, mut errors, mut example) = (0, 0, None);
    for turn in 0..ROUNDS {
        let first = turn * CONNECTIONS;
        round::all(&door, CONNECTIONS, first, LENGTH, |_, figures| {
            answers += figures.answers;
            errors += figures.errors;
            example = example.take().or(figures.example);
            Ok(())
        })
        .await?;
    }
    let most = peak.end()?;
    report.beside(
        "memory under load, the most seen",
        most,
        "MiB",
        Wanted::Below(MIB),
        &format!("{answers} answers to {PLATFORMS} platforms"),
    );
    memory(report, "memory, right after it")?;
    if errors > 0 {
        bail!("{errors} wrong answers, {}", example.unwrap_or_default());
    }
    Ok(())
}

/// Looks at a process's memory all the time.
struct Peak {
    stop: Arc<AtomicBool>,
    looking: std::thread::JoinHandle<Result<f64>>,
}

impl Peak {
    fn watch(pid: u32) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&stop);
        let looking = std::thread::spawn(move || {
            let mut most = 0.0_f64;
            while !until.load(Ordering::Relaxed) {
                most = most.max(crate::process::resident_mib(pid)?);
                std::thread::sleep(LOOK_EVERY);
            }
            Ok(most)
        });
        Self { stop, looking }
    }

    fn end(self) -> Result<f64> {
        self.stop.store(true, Ordering::Relaxed);
        match self.looking.join() {
            Ok(most) => most,
            Err(_) => bail!("nobody looked at the memory"),
        }
    }
}
