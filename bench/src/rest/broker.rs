//! A broker that never ends: every provision is accepted, every poll says `in progress`. It counts the polls.
//!
//! In a process of its own: `qm-bench rest-broker`.

use crate::osb::catalog;
use crate::server::Served;
use anyhow::{Context, Result};
use axum::Router;
use axum::routing::{get, put};
use http::StatusCode;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::net::TcpListener;

/// Where the number of polls is asked for.
pub(super) const POLLS: &str = "/polls";

pub(super) fn start() -> Result<Served> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("rest-broker");
    Served::start(command).context("starting the broker")
}

/// The process itself.
pub(crate) async fn serve() -> Result<()> {
    let polls = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&polls);
    let json = [("content-type", "application/json")];
    let app = Router::new()
        .route(
            "/v2/catalog",
            get(move || async move { (json, catalog::text()) }),
        )
        .route(
            "/v2/service_instances/{id}",
            put(move || async move { (StatusCode::ACCEPTED, json, r#"{"operation":"work"}"#) })
                .delete(move || async move { (json, "{}") }),
        )
        .route(
            "/v2/service_instances/{id}/last_operation",
            get(move || async move {
                counted.fetch_add(1, Ordering::Relaxed);
                (json, r#"{"state":"in progress"}"#)
            }),
        )
        .route(
            POLLS,
            get(move || async move { polls.load(Ordering::Relaxed).to_string() }),
        );
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}
