//! Ten thousand operations that a broker works on, followed by one process as shipped.
//!
//! The rule: on time means as often as the manager's own plan says: every operation at least once in the longest pause
//! between two polls, with its jitter, a look's interval and a tenth of room.

use super::{broker, request};
use crate::load;
use crate::manager::Manager;
use crate::osb::catalog::PLAN;
use crate::osb::{disk, postgres, register};
use crate::report::{Report, Wanted};
use crate::server::Served;
use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http::{Method, Request, StatusCode};
use qm_testkit::http::Client;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const OPERATIONS: usize = 10_000;
/// `operations.slowest_poll`, a quarter of jitter, `operations.poll_interval`.
const LONGEST_PAUSE: f64 = 60.0 * 1.25 + 1.0;
/// After which every operation has reached the longest pause: the pauses before it sum up to this.
const SETTLED: Duration = Duration::from_secs(150);
const WATCHED: Duration = Duration::from_secs(90);
const CORE: f64 = 0.1;
const MIB: f64 = 150.0;

pub(super) async fn measure(report: &mut Report) -> Result<()> {
    let folder = disk::folder()?;
    on(report, "SQLite", &folder.path().join("sqlite"), None).await?;
    let server = postgres::start().await?;
    let database = server.database()?;
    let data = folder.path().join("postgres");
    on(report, "PostgreSQL", &data, Some(&database.url())).await
}

async fn on(report: &mut Report, engine: &str, data: &Path, url: Option<&str>) -> Result<()> {
    let broker = broker::start()?;
    let manager = Manager::start_as_shipped(data, url).await?;
    register::register(&manager, broker.address, 1).await?;
    let plans = manager
        .get(&format!(
            "/v1/service_plans?fieldQuery=catalog_id%20eq%20'{PLAN}'"
        ))
        .await?;
    let plan = plans["items"][0]["id"]
        .as_str()
        .context("no plan")?
        .to_owned();
    fill(&manager, plan).await?;
    tokio::time::sleep(SETTLED).await;

    let (polls, cpu, began) = (
        polls(&broker).await?,
        manager.served.cpu_seconds()?,
        Instant::now(),
    );
    tokio::time::sleep(WATCHED).await;
    let took = began.elapsed().as_secs_f64();
    let polled = self::polls(&broker).await? - polls;
    let core = (manager.served.cpu_seconds()? - cpu) / took;
    report.part(&format!(
        "a manager on {engine} with {OPERATIONS} operations that a broker works on"
    ));
    let due = OPERATIONS as f64 * took / LONGEST_PAUSE;
    report.beside(
        "polls / polls that are due",
        polled as f64 / due,
        "",
        Wanted::AtLeast(0.9),
        &format!("{polled} in {took:.0} s"),
    );
    report.figure("processor time", core, "cores", Wanted::Below(CORE));
    let memory = manager.served.resident_mib()?;
    report.figure("memory", memory, "MiB", Wanted::Below(MIB));
    Ok(())
}

/// Begins them all.
async fn fill(manager: &Manager, plan: String) -> Result<()> {
    let token = format!("Bearer {}", manager.token);
    let make = Arc::new(move |number: u128| {
        let body = json!({"name": format!("{number:032x}"), "service_plan_id": plan});
        request(
            Method::POST,
            "/v1/service_instances",
            &token,
            body.to_string(),
        )
    });
    let mut made = 0;
    while made < OPERATIONS {
        let length = Duration::from_millis(500);
        let address = manager.address();
        let round = load::drive(address, 16, length, StatusCode::ACCEPTED, make.clone()).await?;
        made += round.answers;
    }
    Ok(())
}

async fn polls(broker: &Served) -> Result<u64> {
    let client = Client::new(&format!("http://{}", broker.address), "", "");
    let answer = client
        .send(Request::get(broker::POLLS).body(Bytes::new())?)
        .await?;
    if answer.status() != StatusCode::OK {
        bail!("the broker does not count");
    }
    Ok(String::from_utf8_lossy(answer.body()).trim().parse()?)
}
