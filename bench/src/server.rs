//! A server under measurement, in a process of its own so that its memory is its own.

use crate::process::{self, Stat};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

/// A running server; it is killed when this is dropped.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Served {
    /// Starts a program and waits for its line `listening on http://ADDR`.
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .context("starting a server")?;
        let stdout = child.stdout.take().context("no output to read")?;
        let mut lines = BufReader::new(stdout).lines();
        for line in lines.by_ref() {
            if let Some((_, address)) = line?.split_once("listening on http://") {
                let address = address.trim().parse()?;
                // What it prints later must not block it.
                std::thread::spawn(move || lines.for_each(drop));
                return Ok(Self { child, address });
            }
        }
        bail!("a server ended before it was ready: {}", child.wait()?);
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The processor time it has used, in seconds: steadier than rates on a busy machine.
    pub(crate) fn cpu_seconds(&self) -> Result<f64> {
        Ok(Stat::of(self.pid())?.own)
    }

    /// The memory it has now, in MiB.
    pub(crate) fn resident_mib(&self) -> Result<f64> {
        process::resident_mib(self.pid())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if self.child.kill().is_ok() {
            self.child.wait().ok();
        }
    }
}

/// An axum server that reads the body and answers a constant: what HTTP itself costs.
pub(crate) async fn constant() -> Result<()> {
    let app = axum::Router::new().fallback(|body: bytes::Bytes| async move {
        let json = [(http::header::CONTENT_TYPE, "application/json")];
        if body.is_empty() {
            return (http::StatusCode::BAD_REQUEST, json, "{}");
        }
        (http::StatusCode::CREATED, json, "{}")
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}
