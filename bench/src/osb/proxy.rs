//! The bare reverse proxy beside the manager, in a process of its own: the same HTTP stack, and nothing but it.
//!
//! axum on hyper with the manager's own settings, a pool of hyper-util to the broker, bodies read whole both ways,
//! the caller's `Authorization` exchanged for the broker's. No login, no rules, no store, no figures. The rule: what
//! the manager pays on top of this is what the manager does.

use super::register::{BROKER_PASSWORD, BROKER_USER};
use crate::manager::basic;
use crate::server::Served;
use anyhow::{Context, Result};
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{
    AUTHORIZATION, CONNECTION, CONTENT_LENGTH, HOST, HeaderValue, TRANSFER_ENCODING,
};
use http::uri::{Authority, PathAndQuery, Scheme, Uri};
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use std::process::Command;
use std::time::Duration;
use tokio::net::TcpListener;
use tower_service::Service as _;

/// As in the manager.
const HEAD_TIME: Duration = Duration::from_secs(10);
const HEAD_BYTES: usize = 32 * 1024;
const BUFFER_BYTES: usize = 64 * 1024;
const IDLE: Duration = Duration::from_secs(30);

#[derive(Clone)]
struct Proxy {
    pool: Client<HttpConnector, Full<Bytes>>,
    broker: Authority,
    authorization: HeaderValue,
}

/// Starts it beside this process.
pub(super) fn start(broker: &Served) -> Result<Served> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["osb-proxy", &broker.address.to_string()]);
    Served::start(command).context("starting the bare proxy")
}

/// The process itself: `qm-bench osb-proxy BROKER`.
pub(crate) async fn serve(broker: Option<&str>) -> Result<()> {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let proxy = Proxy {
        pool: Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .build(connector),
        broker: broker.context("no broker is named")?.parse()?,
        authorization: basic(BROKER_USER, BROKER_PASSWORD).parse()?,
    };
    let app = axum::Router::new().fallback(forward).with_state(proxy);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_header_size(HEAD_BYTES)
        .max_buf_size(BUFFER_BYTES);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let (app, http) = (app.clone(), http.clone());
        tokio::spawn(async move {
            let service = service_fn(move |request: Request<Incoming>| app.clone().call(request));
            // How a client ends its connection is its own affair.
            let _ = http.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn forward(State(proxy): State<Proxy>, request: Request<Body>) -> Response {
    match exchange(&proxy, request).await {
        Ok(response) => response,
        Err(error) => (StatusCode::BAD_GATEWAY, format!("{error:#}")).into_response(),
    }
}

async fn exchange(proxy: &Proxy, request: Request<Body>) -> Result<Response> {
    let (mut head, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let mut uri = head.uri.into_parts();
    uri.scheme = Some(Scheme::HTTP);
    uri.authority = Some(proxy.broker.clone());
    uri.path_and_query
        .get_or_insert(PathAndQuery::from_static("/"));
    head.uri = Uri::from_parts(uri)?;
    for name in [HOST, CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING] {
        head.headers.remove(name);
    }
    head.headers
        .insert(AUTHORIZATION, proxy.authorization.clone());
    let answer = proxy
        .pool
        .request(Request::from_parts(head, Full::new(body)))
        .await?;
    let (mut head, body) = answer.into_parts();
    let body = body.collect().await?.to_bytes();
    for name in [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING] {
        head.headers.remove(name);
    }
    Ok(Response::from_parts(head, Body::from(body)))
}
