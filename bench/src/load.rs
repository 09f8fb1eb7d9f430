//! Load: many connections that each send the next request when the last answer is there.
//!
//! Used by every benchmark that speaks HTTP. The rule: the same client drives both sides of a ratio, and
//! an answer that is not the expected one ends the run; a fast wrong answer is no result.

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::SendRequest;
use hyper_util::rt::TokioIo;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;

/// What a round came to.
#[derive(Debug, Clone)]
pub(crate) struct Round {
    /// How many answers there were.
    pub(crate) answers: usize,
    /// Answers per second.
    pub(crate) rate: f64,
    /// Half of the answers were quicker.
    pub(crate) p50: Duration,
    /// All but one in a hundred were quicker.
    pub(crate) p99: Duration,
}

/// Drives `connections` connections for `length`; `request` makes the next request, given a number
/// that is never used twice.
pub(crate) async fn drive(
    address: SocketAddr,
    connections: usize,
    length: Duration,
    expected: StatusCode,
    request: Arc<dyn Fn(u128) -> Request<Full<Bytes>> + Send + Sync>,
) -> Result<Round> {
    let started = Instant::now();
    let end = started + length;
    let tasks: Vec<_> = (0..connections)
        .map(|_| {
            let request = request.clone();
            tokio::spawn(async move { one(address, end, expected, &*request).await })
        })
        .collect();
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await??);
    }
    let took = started.elapsed();
    times.sort_unstable();
    let at = |part: f64| {
        let index = (times.len() as f64 * part) as usize;
        times
            .get(index.min(times.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    };
    Ok(Round {
        answers: times.len(),
        rate: times.len() as f64 / took.as_secs_f64(),
        p50: at(0.5),
        p99: at(0.99),
    })
}

async fn one(
    address: SocketAddr,
    end: Instant,
    expected: StatusCode,
    request: &(dyn Fn(u128) -> Request<Full<Bytes>> + Send + Sync),
) -> Result<Vec<Duration>> {
    let stream = TcpStream::connect(address).await.context("connecting")?;
    stream.set_nodelay(true)?;
    let (mut sender, connection): (SendRequest<Full<Bytes>>, _) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let connection = tokio::spawn(connection);
    let mut times = Vec::new();
    while Instant::now() < end {
        let began = Instant::now();
        let response = sender
            .send_request(request(uuid::Uuid::new_v4().as_u128()))
            .await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        if status != expected {
            bail!(
                "expected {expected}, got {status}: {}",
                String::from_utf8_lossy(&body)
            );
        }
        times.push(began.elapsed());
        sender.ready().await?;
    }
    drop(sender);
    connection.await??;
    Ok(times)
}

/// The middle of several figures.
pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
