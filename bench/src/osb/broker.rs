//! The broker behind everybody, in a process of its own: it answers at once and remembers nothing.
//!
//! The rule: it does as little as a server can, on one thread, because its processor time is part of everybody's
//! figure. Every request is read to its end and answered by its method and path; whatever else comes is 404.

use super::catalog;
use crate::server::Served;
use anyhow::{Context, Result};
use bytes::Bytes;
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::process::Command;
use tokio::net::TcpListener;

const BINDING: &str = r#"{"credentials":{"uri":"postgres://u_4711:a-long-password@db.example.com:5432/d_4711","username":"u_4711","password":"a-long-password","hostname":"db.example.com","port":5432,"name":"d_4711"}}"#;
const INSTANCE: &str = r#"{"dashboard_url":"https://dashboard.example.com/4711"}"#;

/// Starts it beside this process.
pub(crate) fn start() -> Result<Served> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("osb-broker");
    Served::start(command).context("starting the broker")
}

/// The process itself: `qm-bench osb-broker`.
pub(crate) fn serve() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(accept())
}

async fn accept() -> Result<()> {
    let catalog = Bytes::from(catalog::text());
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let catalog = catalog.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(request, catalog.clone()));
            // How a client ends its connection is its own affair.
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    catalog: Bytes,
) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let (head, body) = request.into_parts();
    body.collect().await?;
    let path = head.uri.path();
    let binding = path.contains("/service_bindings/");
    let (status, body) = match head.method {
        Method::GET if path == "/v2/catalog" => (StatusCode::OK, catalog),
        Method::GET if path.ends_with("/last_operation") => (
            StatusCode::OK,
            Bytes::from_static(br#"{"state":"succeeded"}"#),
        ),
        Method::PUT if binding => (StatusCode::CREATED, Bytes::from_static(BINDING.as_bytes())),
        Method::PUT => (StatusCode::CREATED, Bytes::from_static(INSTANCE.as_bytes())),
        Method::DELETE => (StatusCode::OK, Bytes::from_static(b"{}")),
        _ => (StatusCode::NOT_FOUND, Bytes::from_static(b"{}")),
    };
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    let json = header::HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    Ok(response)
}
