//! How fast an SDK broker is: the `minimal` example on its SQLite store, next to a bare axum server
//! that reads the same body and answers a constant.
//!
//! Both are processes of their own, driven in turns by the same client. Fails when the ratio at 64
//! connections is below 0.3 or the broker takes 30 MiB or more under the load.

use crate::load::{self, Round};
use crate::server::Served;
use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{Method, Request, StatusCode};
use http_body_util::Full;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

const CONNECTIONS: [usize; 3] = [1, 16, 64];
const ROUNDS: usize = 3;
const LENGTH: Duration = Duration::from_secs(4);
const WANTED_RATIO: f64 = 0.3;
const WANTED_MIB: f64 = 30.0;

const SERVICE: &str = "5c0ff1ce-0001-4000-8000-000000000001";
const INSTANT: &str = "5c0ff1ce-0001-4000-8000-000000000011";

/// Runs the benchmark; an error when a wanted figure was missed.
pub(crate) async fn run() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let store = folder.path().join("minimal.db");
    let mut minimal = Command::new(example("minimal")?);
    minimal.args([
        "--listen",
        "127.0.0.1:0",
        "--user",
        "bench",
        "--log",
        "warn",
        "--store",
    ]);
    minimal.arg(&store).env("QM_BROKER_PASSWORD", "bench");
    let broker = Served::start(minimal)?;
    let mut constant = Command::new(std::env::current_exe()?);
    constant.arg("constant");
    let constant = Served::start(constant)?;

    println!(
        "synchronous provisions, SQLite store, synchronous=FULL; {ROUNDS} rounds of {} s in turns",
        LENGTH.as_secs()
    );
    println!(
        "connections | constant req/s | provision req/s | ratio | p50 ms | p99 ms | constant us | broker us | broker MiB"
    );
    let mut missed = Vec::new();
    for connections in CONNECTIONS {
        let (mut bare, mut provisions) = (Vec::new(), Vec::new());
        let before = (constant.cpu_seconds()?, broker.cpu_seconds()?);
        for _ in 0..ROUNDS {
            bare.push(round(&constant, connections).await?);
            provisions.push(round(&broker, connections).await?);
        }
        let rate = |rounds: &[Round]| load::median(rounds.iter().map(|round| round.rate).collect());
        let time = |pick: fn(&Round) -> Duration| {
            let times = provisions
                .iter()
                .map(|round| pick(round).as_secs_f64() * 1e3);
            load::median(times.collect())
        };
        // Processor time per answer, in microseconds.
        let cost = |rounds: &[Round], seconds: f64| {
            let answers: usize = rounds.iter().map(|round| round.answers).sum();
            seconds * 1e6 / answers.max(1) as f64
        };
        let ratio = rate(&provisions) / rate(&bare);
        let mib = broker.resident_mib()?;
        println!(
            "{connections:>11} | {:>14.0} | {:>15.0} | {ratio:>5.2} | {:>6.1} | {:>6.1} | {:>11.0} | {:>9.0} | {mib:>10.1}",
            rate(&bare),
            rate(&provisions),
            time(|round| round.p50),
            time(|round| round.p99),
            cost(&bare, constant.cpu_seconds()? - before.0),
            cost(&provisions, broker.cpu_seconds()? - before.1),
        );
        if connections == 64 {
            if ratio < WANTED_RATIO {
                missed.push(format!(
                    "ratio {ratio:.2} at 64 connections, wanted {WANTED_RATIO}"
                ));
            }
            if mib >= WANTED_MIB {
                missed.push(format!("{mib:.1} MiB resident, wanted below {WANTED_MIB}"));
            }
        }
    }
    if !missed.is_empty() {
        bail!("missed: {}", missed.join("; "));
    }
    Ok(())
}

async fn round(server: &Served, connections: usize) -> Result<Round> {
    let authorization = format!("Basic {}", STANDARD.encode("bench:bench"));
    let body = Bytes::from(
        serde_json::json!({
            "service_id": SERVICE,
            "plan_id": INSTANT,
            "organization_guid": "8b7cbd3c-35c4-4f0a-9f0b-000000000001",
            "space_guid": "8b7cbd3c-35c4-4f0a-9f0b-000000000002",
            "context": { "platform": "cloudfoundry", "organization_guid": "8b7cbd3c-35c4-4f0a-9f0b-000000000001",
                         "space_guid": "8b7cbd3c-35c4-4f0a-9f0b-000000000002", "instance_name": "bench" },
            "parameters": { "label": "bench" },
        })
        .to_string(),
    );
    let request = move |number: u128| {
        let mut request = Request::new(Full::new(body.clone()));
        *request.method_mut() = Method::PUT;
        if let Ok(uri) = format!("/v2/service_instances/{number:032x}").parse() {
            *request.uri_mut() = uri;
        }
        let headers = request.headers_mut();
        for (name, value) in [
            ("host", "localhost"),
            ("content-type", "application/json"),
            ("x-broker-api-version", "2.17"),
            ("authorization", authorization.as_str()),
        ] {
            if let Ok(value) = value.parse() {
                headers.insert(name, value);
            }
        }
        request
    };
    load::drive(
        server.address,
        connections,
        LENGTH,
        StatusCode::CREATED,
        Arc::new(request),
    )
    .await
}

/// Builds an example of the SDK with optimisation and says where it is.
fn example(name: &str) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args([
            "build",
            "--quiet",
            "--release",
            "--package",
            "quartermaster-sdk",
            "--example",
            name,
        ])
        .status()
        .context("running cargo")?;
    if !built.success() {
        bail!("the example {name} does not build");
    }
    let own = std::env::current_exe()?;
    let folder = own.parent().context("no folder above the benchmark")?;
    Ok(folder.join("examples").join(name))
}
