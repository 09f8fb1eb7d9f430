//! The PostgreSQL example broker of `up`. It listens where it did before if it can, so that its
//! registration stays right.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use anyhow::Result;

use super::child::{self, Child};
use super::home::Home;
use super::port;

pub(super) const USER: &str = "admin";

pub(super) fn start(program: &Path, home: &Home, password: &str, server: &str) -> Result<Child> {
    let before = fs::read_to_string(home.file("broker-port"))
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(0);
    let listen = format!("127.0.0.1:{}", port::free(before)?);
    let mut command = child::tied(program);
    command
        .args(["--listen", &listen, "--user", USER, "--server", server])
        // In the environment, where `ps` does not show it.
        .env("QM_BROKER_PASSWORD", password)
        .arg("--store")
        .arg(home.file("broker.sqlite"));
    Child::spawn("the broker", command)
}

/// For the next start.
pub(super) fn remember(home: &Home, address: SocketAddr) -> Result<()> {
    Ok(fs::write(
        home.file("broker-port"),
        address.port().to_string(),
    )?)
}
