//! Instances over REST next to provisions at a door, in turns.

use super::request;
use crate::load::{self, Round, median};
use crate::manager::Manager;
use crate::osb::catalog::{PLAN, SERVICE};
use crate::osb::{broker, disk, postgres, register};
use crate::report::{Report, Wanted};
use anyhow::{Context, Result};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const CONNECTIONS: usize = 64;
const ROUNDS: usize = 5;
const LENGTH: Duration = Duration::from_secs(1);
const WANTED: f64 = 0.5;

pub(super) async fn measure(report: &mut Report) -> Result<()> {
    let folder = disk::folder()?;
    let server = postgres::start().await?;
    let database = server.database()?;
    on(report, "SQLite", &folder.path().join("sqlite"), None).await?;
    let data = folder.path().join("postgres");
    on(report, "PostgreSQL", &data, Some(&database.url())).await
}

async fn on(report: &mut Report, engine: &str, data: &Path, url: Option<&str>) -> Result<()> {
    let broker = broker::start()?;
    let manager = Manager::start_as_shipped(data, url).await?;
    let registered = register::register(&manager, broker.address, 1).await?;
    let door = registered.door(&manager)?;
    let platform = door.authorizations.first().context("no platform")?.clone();
    let prefix = door.prefix.clone();
    let plans = manager
        .get(&format!(
            "/v1/service_plans?fieldQuery=catalog_id%20eq%20'{PLAN}'"
        ))
        .await?;
    let plan = plans["items"][0]["id"]
        .as_str()
        .context("no plan")?
        .to_owned();
    let token = format!("Bearer {}", manager.token);

    let by_door = Arc::new(move |number: u128| {
        let path = format!("{prefix}/v2/service_instances/{number:032x}?accepts_incomplete=true");
        request(Method::PUT, &path, &platform, provision(number))
    });
    let by_rest = Arc::new(move |number: u128| {
        let body = json!({"name": format!("{number:032x}"), "service_plan_id": plan, "parameters": {"size": 3}});
        let path = "/v1/service_instances?async=false";
        request(Method::POST, path, &token, body.to_string())
    });
    let (mut doors, mut rests) = (Vec::new(), Vec::new());
    let before = manager.served.cpu_seconds()?;
    for _ in 0..ROUNDS {
        let address = manager.address();
        let expected = StatusCode::CREATED;
        doors.push(load::drive(address, CONNECTIONS, LENGTH, expected, by_door.clone()).await?);
        rests.push(load::drive(address, CONNECTIONS, LENGTH, expected, by_rest.clone()).await?);
    }
    let spent = manager.served.cpu_seconds()? - before;
    report.part(&format!(
        "instances on {engine}, {CONNECTIONS} connections, {ROUNDS} rounds in turns; {:.0} us of the manager each",
        spent * 1e6 / answers(doors.iter().chain(&rests)) as f64
    ));
    let rate = |rounds: &[Round]| median(rounds.iter().map(|round| round.rate).collect());
    report.figure("provisions at a door", rate(&doors), "1/s", Wanted::Nothing);
    report.figure("creations over REST", rate(&rests), "1/s", Wanted::Nothing);
    let ratios = rests
        .iter()
        .zip(&doors)
        .map(|(rest, door)| rest.rate / door.rate);
    report.figure(
        "REST / door",
        median(ratios.collect()),
        "",
        Wanted::AtLeast(WANTED),
    );
    Ok(())
}

fn answers<'a>(rounds: impl Iterator<Item = &'a Round>) -> usize {
    rounds.map(|round| round.answers).sum::<usize>().max(1)
}

pub(super) fn provision(number: u128) -> String {
    let organization = "8b7cbd3c-35c4-4f0a-9f0b-000000000001";
    let body: Value = json!({
        "service_id": SERVICE, "plan_id": PLAN,
        "organization_guid": organization, "space_guid": organization,
        "context": {"platform": "cloudfoundry", "organization_guid": organization, "instance_name": format!("{number:032x}")},
        "parameters": {"size": 3},
    });
    body.to_string()
}
