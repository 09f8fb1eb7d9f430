//! Ten thousand instances of one platform deleted by a cascade, while another platform calls at its door.

use super::create::provision;
use super::request;
use crate::load::{self, Round};
use crate::manager::Manager;
use crate::osb::{broker, disk, postgres, register};
use crate::report::{Report, Wanted};
use anyhow::{Context, Result, bail};
use http::{Method, StatusCode};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const INSTANCES: usize = 10_000;
/// Few callers: how long one waits is the question, not how many are served.
const CONNECTIONS: usize = 4;
const LENGTH: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(600);
const TWICE: f64 = 2.0;

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
    let registered = register::register(&manager, broker.address, 2).await?;
    let door = registered.door(&manager)?;
    let [leaving, staying] = &door.authorizations[..] else {
        bail!("two platforms were registered");
    };
    let id = registered.platforms[0]["id"].as_str().context("no id")?;
    let mut made = 0;
    while made < INSTANCES {
        made += calls(&manager, &door.prefix, leaving, 16, Duration::from_secs(1))
            .await?
            .answers;
    }
    let idle = calls(&manager, &door.prefix, staying, CONNECTIONS, LENGTH).await?;
    let began = Instant::now();
    let operation = manager
        .cascade(&format!("/v1/platforms/{id}?cascade=true"))
        .await?;
    let busy = calls(&manager, &door.prefix, staying, CONNECTIONS, LENGTH).await?;
    let took = loop {
        let now = manager.get(&operation).await?;
        match now["state"].as_str() {
            Some("succeeded") => break began.elapsed(),
            Some("failed") => bail!("the cascade failed: {now}"),
            _ if began.elapsed() > PATIENCE => bail!("the cascade does not end: {now}"),
            _ => tokio::time::sleep(Duration::from_millis(500)).await,
        }
    };
    report.part(&format!(
        "a cascade over {made} instances on {engine}, {CONNECTIONS} callers at another platform's door"
    ));
    let p99 = |round: &Round| round.p99.as_secs_f64() * 1e3;
    report.figure(
        "p99 of a provision before it",
        p99(&idle),
        "ms",
        Wanted::Nothing,
    );
    report.figure(
        "p99 of a provision during it",
        p99(&busy),
        "ms",
        Wanted::Nothing,
    );
    let ratio = p99(&busy) / p99(&idle);
    report.beside(
        "during / before",
        ratio,
        "",
        Wanted::Below(TWICE),
        &format!("the cascade took {:.0} s", took.as_secs_f64()),
    );
    Ok(())
}

async fn calls(
    manager: &Manager,
    prefix: &str,
    authorization: &str,
    connections: usize,
    length: Duration,
) -> Result<Round> {
    let (prefix, authorization) = (prefix.to_owned(), authorization.to_owned());
    let make = Arc::new(move |number: u128| {
        let path = format!("{prefix}/v2/service_instances/{number:032x}?accepts_incomplete=true");
        request(Method::PUT, &path, &authorization, provision(number))
    });
    load::drive(
        manager.address(),
        connections,
        length,
        StatusCode::CREATED,
        make,
    )
    .await
}
