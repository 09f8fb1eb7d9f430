//! How a change of a broker reaches a thousand connected platforms, next to a bare broadcast of the same bytes to
//! as many sockets, in turns.
//!
//! The time of a change runs from the moment the PATCH is sent to the moment the last platform has the message: the
//! broker's catalog is fetched, compared and stored in it, and the event is numbered. The bare server only writes.

use super::bare;
use crate::listener::{self, Listeners};
use crate::load::median;
use crate::manager::{self, Manager};
use crate::report::{Report, Wanted};
use anyhow::Result;
use bytes::Bytes;
use http::{Method, Request};
use qm_testkit::http::Client;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const ROUNDS: usize = 15;
/// A change may take so many times a bare broadcast.
const TIMES: f64 = 10.0;

pub(super) async fn measure(
    report: &mut Report,
    manager: &Manager,
    broker: &str,
    platforms: &[Value],
) -> Result<()> {
    let path = format!("/v1/service_brokers/{broker}");
    let alone = changes_alone(manager, &path).await?;

    let heads = platforms
        .iter()
        .map(listener::head)
        .collect::<Result<Vec<_>>>()?;
    let count = heads.len();
    let began = Instant::now();
    let mut listeners = Listeners::connect(manager.address(), heads).await?;
    let rate = count as f64 / began.elapsed().as_secs_f64();
    report.figure("platforms connected", rate, "/s", Wanted::Nothing);
    manager::rest().await;
    report.figure(
        "memory, all connected",
        manager.served.resident_mib()?,
        "MiB",
        Wanted::Nothing,
    );

    // One change to know the bytes.
    change(manager, &path, &mut listeners, 0).await?;
    let message = listeners.last();
    let size = message.len();
    let bare = bare::start()?;
    let client = Client::new(&format!("http://{}", bare.address), "", "");
    order(&client, Method::PUT, "/message", message.into()).await?;
    let heads = (0..count).map(|_| "GET /stream HTTP/1.1\r\nhost: bare\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\n".to_owned());
    let mut others = Listeners::connect(bare.address, heads.collect()).await?;

    let (mut told, mut answered, mut broadcast) = (Vec::new(), Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        let (answer, all) = change(manager, &path, &mut listeners, round).await?;
        answered.push(answer.as_secs_f64() * 1e3);
        told.push(all.as_secs_f64() * 1e3);
        let before = others.messages();
        let began = Instant::now();
        order(&client, Method::POST, "/send", Bytes::new()).await?;
        broadcast.push((others.all_told(before).await? - began).as_secs_f64() * 1e3);
    }
    let ratios = told
        .iter()
        .zip(&broadcast)
        .map(|(ours, bare)| ours / bare)
        .collect();
    let early = answered
        .iter()
        .zip(&told)
        .filter(|(answer, all)| answer < all)
        .count();
    let (told, answered, broadcast) = (median(told), median(answered), median(broadcast));
    report.figure(
        &format!("a message of {size} bytes to {count} sockets, bare"),
        broadcast,
        "ms",
        Wanted::Nothing,
    );
    report.figure(
        "a broker's change reaches the last platform",
        told,
        "ms",
        Wanted::Nothing,
    );
    report.beside(
        "  as a multiple of the bare broadcast",
        median(ratios),
        "times",
        Wanted::Below(TIMES),
        &format!("{broadcast:.1} ms"),
    );
    report.beside(
        "its PATCH is answered",
        answered,
        "ms",
        Wanted::Nothing,
        &format!("{alone:.1} ms with nobody connected"),
    );
    // A request that waited for its platforms could not be answered before the last one is told.
    report.beside(
        "  before the last platform was told, of all changes",
        early as f64 / ROUNDS as f64,
        "",
        Wanted::AtLeast(0.9),
        "",
    );
    Ok(())
}

/// One change: when it was answered and when the last platform had it, both from the moment it was sent.
async fn change(
    manager: &Manager,
    path: &str,
    listeners: &mut Listeners,
    round: usize,
) -> Result<(Duration, Duration)> {
    let before = listeners.messages();
    let body = json!({"description": format!("round {round}")});
    let began = Instant::now();
    let answered = manager.patch_apart(path, &body);
    let (answered, told) = tokio::join!(answered, listeners.all_told(before));
    Ok((answered?, told? - began))
}

/// How long the same takes when nobody listens, in milliseconds.
async fn changes_alone(manager: &Manager, path: &str) -> Result<f64> {
    let mut took = Vec::new();
    for round in 0..ROUNDS {
        let body = json!({"description": format!("alone {round}")});
        took.push(manager.patch_apart(path, &body).await?.as_secs_f64() * 1e3);
    }
    Ok(median(took))
}

async fn order(client: &Client, method: Method, path: &str, body: Bytes) -> Result<()> {
    let request = Request::builder().method(method).uri(path).body(body)?;
    let answer = client.send(request).await?;
    anyhow::ensure!(
        answer.status().is_success(),
        "the bare server: {}",
        answer.status()
    );
    Ok(())
}
