//! The Service Manager of `up`: on SQLite, in `./.quartermaster`, with its own issuer.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context, Result};

use super::child::{self, Child};
use super::home::Home;

/// The first administrator, whom the manager makes at its first start.
pub(super) const USER: &str = "admin";

/// What a shell must not change about this manager.
const FIXED: [&str; 4] = [
    "QM_CONFIG",
    "QM_DATA",
    "QM_DATABASE_URL",
    "QM_SERVER_LISTEN",
];

pub(super) fn start(program: &Path, home: &Home, listen: SocketAddr) -> Result<Child> {
    let mut command = child::tied(program);
    command.arg("manager").arg("--data").arg(home.folder());
    command.args(["--listen", &listen.to_string()]);
    for name in FIXED {
        command.env_remove(name);
    }
    Child::spawn("the manager", command)
}

/// The administrator's password, which the manager keeps in its data folder.
pub(super) fn password(home: &Home) -> Result<String> {
    let path = home.file("admin-password");
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(text.trim().to_owned())
}
