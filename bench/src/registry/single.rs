//! Reads of one object, next to a server that answers the same bytes as a constant, at 1, 16 and 64 connections in turns.
//! The reader sends a bearer token with every request, as a real client does.

use super::bare;
use super::catalogs::Catalogs;
use crate::load::{self, Round};
use crate::manager::Manager;
use crate::report::{Report, Wanted};
use crate::server::Served;
use anyhow::{Context, Result};
use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use http_body_util::Full;
use qm_testkit::http::Client;
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

const ROUNDS: usize = 5;
const LENGTH: Duration = Duration::from_secs(2);
const JUDGED: usize = 64;
const RATIO: f64 = 0.5;

pub(super) async fn measure(report: &mut Report) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let catalogs = Catalogs::start().await?;
    let manager = Manager::start(&folder.path().join("data"), None).await?;
    let brokers = (0..20)
        .map(|number| catalogs.registration(number))
        .collect();
    let brokers = manager.post_all("/v1/service_brokers", brokers).await?;
    let plan = manager.get("/v1/service_plans?max_items=1").await?["items"][0]["id"].clone();
    let visibility = manager
        .post(
            "/v1/visibilities",
            &json!({"service_plan_id": plan, "labels": {"organization_guid": ["o-1", "o-2"]}}),
        )
        .await?;
    for (name, collection, object) in [
        ("a broker", "service_brokers", &brokers[7]["id"]),
        ("a visibility", "visibilities", &visibility["id"]),
    ] {
        let id = object.as_str().context("an object without id")?;
        compare(report, &manager, name, &format!("/v1/{collection}/{id}")).await?;
    }
    Ok(())
}

async fn compare(report: &mut Report, manager: &Manager, name: &str, path: &str) -> Result<()> {
    let bare = bare::start()?;
    let body = manager.get(path).await?.to_string();
    report.part(&format!(
        "GET of {name} ({} bytes) on SQLite beside a constant of the same bytes, {ROUNDS} rounds of {} s in turns",
        body.len(),
        LENGTH.as_secs()
    ));
    let client = Client::new(&format!("http://{}", bare.address), "", "");
    let request = Request::builder()
        .method(Method::PUT)
        .uri("/message")
        .body(Bytes::from(body))?;
    client.send(request).await?;

    for connections in [1, 16, JUDGED] {
        let (mut ours, mut constant, mut door) = (Vec::new(), Vec::new(), Vec::new());
        let before = (manager.served.cpu_seconds()?, bare.cpu_seconds()?);
        let mut spent = (0.0, 0.0);
        for _ in 0..ROUNDS {
            constant.push(drive(bare.address, "/constant", &manager.token, connections).await?);
            ours.push(drive(manager.address(), path, &manager.token, connections).await?);
            spent = (
                manager.served.cpu_seconds()? - before.0,
                bare.cpu_seconds()? - before.1,
            );
        }
        // For orientation: a route of the manager that reads nothing.
        for _ in 0..2 {
            door.push(
                drive(
                    manager.address(),
                    "/v1/agents/versions",
                    &manager.token,
                    connections,
                )
                .await?,
            );
        }
        let rate = |rounds: &[Round]| load::median(rounds.iter().map(|round| round.rate).collect());
        let cost = |rounds: &[Round], seconds: f64| {
            let answers: usize = rounds.iter().map(|round| round.answers).sum();
            seconds * 1e6 / answers.max(1) as f64
        };
        let ratios = ours
            .iter()
            .zip(&constant)
            .map(|(ours, bare)| ours.rate / bare.rate)
            .collect();
        let wanted = if connections == JUDGED {
            Wanted::AtLeast(RATIO)
        } else {
            Wanted::Nothing
        };
        report.beside(
            &format!("{connections} connections"),
            load::median(ratios),
            "ratio",
            wanted,
            &format!(
                "{:.0} and {:.0} req/s; {:.0} and {:.0} us of CPU each; p99 {:.1} ms; a route that reads nothing: {:.0} req/s",
                rate(&ours),
                rate(&constant),
                cost(&ours, spent.0),
                cost(&constant, spent.1),
                load::median(ours.iter().map(|round| round.p99.as_secs_f64() * 1e3).collect()),
                rate(&door),
            ),
        );
    }
    let _: Served = bare;
    Ok(())
}

async fn drive(address: SocketAddr, path: &str, token: &str, connections: usize) -> Result<Round> {
    let (path, bearer) = (path.to_owned(), format!("Bearer {token}"));
    let request = move |_| {
        let request = Request::builder()
            .uri(&path)
            .header(header::HOST, "manager")
            .header(header::AUTHORIZATION, &bearer);
        request.body(Full::<Bytes>::default()).unwrap_or_default()
    };
    load::drive(
        address,
        connections,
        LENGTH,
        StatusCode::OK,
        Arc::new(request),
    )
    .await
}
