//! The platform's end of the notification stream, from one connection to the next.

use super::{Memory, Order, apply, lock, read, rules};
use crate::harness::Platform;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Bytes, Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Before the next try. The proxies wait 3 s; a test has less time.
const PAUSE: Duration = Duration::from_millis(20);

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Why there is no connection.
enum Refusal {
    /// 410: what is known is too old.
    Gone,
    /// Anything else.
    Other,
}

/// Runs for ever.
pub(super) async fn run(memory: Arc<Mutex<Memory>>, mut order: watch::Receiver<Order>) {
    loop {
        let now = order.borrow_and_update().clone();
        if !now.awake {
            if order.changed().await.is_err() {
                return;
            }
            continue;
        }
        let known = lock(&memory).revision;
        match connect(&now, known).await {
            Ok((socket, told, ping)) => {
                lock(&memory).connections += 1;
                if known.is_none() {
                    // First connected, then read: what changes in between is told.
                    match read::everything(&now.platform).await {
                        Ok(held) => {
                            let mut memory = lock(&memory);
                            memory.held = held;
                            memory.revision = told;
                            memory.resyncs += 1;
                        }
                        Err(_) => {
                            tokio::time::sleep(PAUSE).await;
                            continue;
                        }
                    }
                }
                listen(socket, &memory, &now.platform, &mut order, ping).await;
            }
            Err(Refusal::Gone) => lock(&memory).revision = None,
            Err(Refusal::Other) => tokio::time::sleep(PAUSE).await,
        }
    }
}

async fn connect(
    order: &Order,
    known: Option<i64>,
) -> Result<(Socket, Option<i64>, Duration), Refusal> {
    let url = order.platform.url.replacen("http", "ws", 1);
    let query = known.map(|known| format!("?last_notification_revision={known}"));
    let address = format!("{url}/v1/notifications{}", query.unwrap_or_default());
    let mut request = address.into_client_request().map_err(|_| Refusal::Other)?;
    let client = order.platform.client();
    let authorization = client.authorization().unwrap_or_default();
    let headers = request.headers_mut();
    headers.insert("authorization", authorization.parse().unwrap());
    headers.insert("x-correlationid", "-".parse().unwrap());
    match connect_async(request).await {
        Ok((socket, answer)) => {
            let header = |name: &str| answer.headers().get(name)?.to_str().ok();
            let told =
                header("last_notification_revision").map(|told| told.parse::<i64>().unwrap());
            assert!(
                told.is_none_or(|told| told > 0),
                "the proxies refuse {told:?}"
            );
            let period = header("max_ping_period").expect("the proxies need max_ping_period");
            let seconds: f64 = period.strip_suffix('s').unwrap().parse().unwrap();
            assert!(seconds >= 1.0, "the proxies refuse {period}");
            Ok((socket, told, Duration::from_secs_f64(seconds * 0.6)))
        }
        Err(Error::Http(answer)) if answer.status() == 410 => Err(Refusal::Gone),
        Err(_) => Err(Refusal::Other),
    }
}

async fn listen(
    mut socket: Socket,
    memory: &Mutex<Memory>,
    platform: &Platform,
    order: &mut watch::Receiver<Order>,
    ping: Duration,
) {
    let mut ping = tokio::time::interval(ping);
    loop {
        tokio::select! {
            _ = order.changed() => {
                let _ = socket.close(None).await;
                return;
            }
            _ = ping.tick() => {
                if socket.send(Message::Ping(Bytes::new())).await.is_err() {
                    return;
                }
            }
            message = socket.next() => match message {
                Some(Ok(Message::Text(text))) => {
                    let stranger = take(&mut lock(memory), platform, &text);
                    // What is read is at least as new as what was told so far; what is newer will be told.
                    if stranger && platform.kind == "kubernetes" {
                        let Ok(held) = read::everything(platform).await else {
                            lock(memory).revision = None;
                            return;
                        };
                        let mut memory = lock(memory);
                        memory.held = held;
                        memory.strangers += 1;
                    }
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
        }
    }
}

/// Applies a message; whether it gives a plan of a broker that the platform has not heard of.
fn take(memory: &mut Memory, platform: &Platform, text: &str) -> bool {
    let mut stranger = false;
    let applied = serde_json::from_str::<Value>(text)
        .map_err(|error| error.to_string())
        .and_then(|message| {
            let revision = message["revision"].as_i64().unwrap_or_default();
            if memory.revision.is_some_and(|known| revision <= known) {
                let known = memory.revision;
                return Err(format!("revision {revision} came after {known:?}"));
            }
            memory.revision = Some(revision);
            stranger = rules::is_of_a_stranger(&memory.held, platform, &message);
            apply::apply(&mut memory.held, &message)
        });
    match applied {
        Ok(()) => memory.applied += 1,
        Err(fault) => drop(memory.fault.get_or_insert(fault)),
    }
    stranger
}
