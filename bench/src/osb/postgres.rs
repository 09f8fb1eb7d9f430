//! The scratch PostgreSQL that both the manager and the bare statements use: it writes through to the disk.

use super::disk;
use anyhow::{Context, Result};
use qm_testkit::postgres::{Options, Server};

pub(crate) async fn start() -> Result<Server> {
    let options = Options {
        fsync: true,
        settings: vec![
            ("shared_buffers".to_owned(), "128MB".to_owned()),
            ("max_wal_size".to_owned(), "4GB".to_owned()),
        ],
    };
    let server = tokio::task::spawn_blocking(move || Server::start(options))
        .await?
        .context("there is no PostgreSQL on this machine to measure with")?;
    disk::check(server.directory())?;
    Ok(server)
}

/// The process above all of the server's.
pub(crate) fn pid(server: &Server) -> Result<u32> {
    let file = server.directory().join("data").join("postmaster.pid");
    let text = std::fs::read_to_string(file)?;
    let first = text.lines().next().unwrap_or_default();
    Ok(first.trim().parse()?)
}
