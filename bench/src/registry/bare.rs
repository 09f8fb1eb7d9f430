//! The limit beside our figures, in a process of its own: a server that does nothing but HTTP. It answers a
//! constant, and it writes the same bytes to everybody who is connected.
//!
//! `PUT /message` is what it sends and answers from then on; `GET /constant` answers it; `POST /send` sends it,
//! as one WebSocket message, to all that opened `GET /stream`. Nothing is looked up, checked or stored.

use crate::server::Served;
use anyhow::{Context, Result};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use bytes::Bytes;
use http::{StatusCode, header};
use hyper_util::rt::TokioIo;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::broadcast;

struct Bare {
    message: Mutex<Bytes>,
    send: broadcast::Sender<Bytes>,
}

impl Bare {
    fn message(&self) -> Bytes {
        self.message
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Starts it beside this process.
pub(super) fn start() -> Result<Served> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("bare");
    Served::start(command).context("starting the bare server")
}

/// The process itself: `qm-bench bare`.
pub(crate) async fn serve() -> Result<()> {
    let bare = Arc::new(Bare {
        message: Mutex::new(Bytes::from_static(b"{}")),
        send: broadcast::Sender::new(64),
    });
    let app = axum::Router::new()
        .route("/message", put(keep))
        .route("/constant", get(constant))
        .route("/send", post(send))
        .route("/stream", get(stream))
        .with_state(bare);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}

async fn keep(State(bare): State<Arc<Bare>>, body: Bytes) {
    *bare.message.lock().unwrap_or_else(PoisonError::into_inner) = body;
}

async fn constant(State(bare): State<Arc<Bare>>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], bare.message()).into_response()
}

async fn send(State(bare): State<Arc<Bare>>) {
    // One frame for all: the head of a text message, then the text.
    let message = bare.message();
    let mut frame = vec![0x81];
    match u16::try_from(message.len()) {
        Ok(short) if short < 126 => frame.push(short as u8),
        Ok(short) => {
            frame.push(126);
            frame.extend(short.to_be_bytes());
        }
        Err(_) => {
            frame.push(127);
            frame.extend((message.len() as u64).to_be_bytes());
        }
    }
    frame.extend(&message);
    let _ = bare.send.send(frame.into());
}

async fn stream(State(bare): State<Arc<Bare>>, mut request: Request) -> Response {
    let mut frames = bare.send.subscribe();
    let upgrade = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        let Ok(upgraded) = upgrade.await else { return };
        let mut socket = TokioIo::new(upgraded);
        while let Ok(frame) = frames.recv().await {
            if socket.write_all(&frame).await.is_err() {
                return;
            }
        }
    });
    (
        StatusCode::SWITCHING_PROTOCOLS,
        [
            (header::UPGRADE, "websocket"),
            (header::CONNECTION, "Upgrade"),
        ],
    )
        .into_response()
}
