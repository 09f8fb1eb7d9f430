//! A manager that has much: 1,000 brokers with catalogs of 25 kB, 1,000 platforms, 100,000 instances' worth of rows.
//! Its start, its memory with all platforms connected, and how it tells them of a change.

use super::catalogs::{self, Catalogs};
use super::telling;
use crate::fill;
use crate::manager::{self, Manager};
use crate::report::{Report, Wanted};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::time::Instant;

const BROKERS: usize = 1_000;
const PLATFORMS: usize = 1_000;
const INSTANCES: i64 = 100_000;
const STARTS: usize = 7;
const START_MS: f64 = 100.0;
const MIB: f64 = 100.0;

pub(super) async fn measure(report: &mut Report) -> Result<()> {
    report.part(&format!(
        "a full manager on SQLite: {BROKERS} brokers with catalogs of {} bytes, {PLATFORMS} platforms, {INSTANCES} instances",
        catalogs::size()?
    ));
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data");
    let catalogs = Catalogs::start().await?;
    let manager = Manager::start(&data, None).await?;
    let token = manager.token.clone();

    let began = Instant::now();
    let bodies = (0..BROKERS)
        .map(|number| catalogs.registration(number))
        .collect();
    let brokers = manager.post_all("/v1/service_brokers", bodies).await?;
    let rate = BROKERS as f64 / began.elapsed().as_secs_f64();
    report.figure(
        "brokers registered, 16 at once",
        rate,
        "/s",
        Wanted::Nothing,
    );
    let began = Instant::now();
    let bodies = (0..PLATFORMS)
        .map(|number| json!({"name": format!("platform-{number}"), "type": "cloudfoundry"}))
        .collect();
    let platforms = manager.post_all("/v1/platforms", bodies).await?;
    let rate = PLATFORMS as f64 / began.elapsed().as_secs_f64();
    report.figure(
        "platforms registered, 16 at once",
        rate,
        "/s",
        Wanted::Nothing,
    );

    drop(manager);
    fill::sqlite(&data.join("manager.db"), INSTANCES, fill::Depth::Whole)?;

    let broker = id(&brokers[0])?;
    let path = format!("/v1/service_brokers/{broker}");
    let mut starts = Vec::new();
    let mut running: Option<Manager> = None;
    for _ in 0..STARTS {
        drop(running.take());
        let (manager, took) = Manager::start_again(&data, &token, &path).await?;
        starts.push(took.as_secs_f64() * 1e3);
        running = Some(manager);
    }
    let manager = running.context("no start was measured")?;
    let start = crate::load::median(starts);
    report.figure(
        "start to the first answer (median of 7)",
        start,
        "ms",
        Wanted::Below(START_MS),
    );
    manager::rest().await;
    report.figure(
        "memory, nobody connected",
        manager.served.resident_mib()?,
        "MiB",
        Wanted::Nothing,
    );

    telling::measure(report, &manager, &broker, &platforms).await?;
    report.figure(
        "memory, all connected, after all these changes",
        manager.served.resident_mib()?,
        "MiB",
        Wanted::Below(MIB),
    );
    Ok(())
}

fn id(answer: &Value) -> Result<String> {
    Ok(answer["id"]
        .as_str()
        .context("an answer without id")?
        .to_owned())
}
