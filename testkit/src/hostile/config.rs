//! How a hostile broker starts; a reset goes back to this.

use super::catalogs::{ASYNC_PLAN, standard_catalog};
use quartermaster_osb::Catalog;
use std::net::SocketAddr;

/// Where it listens, what it offers, whom it lets in.
#[derive(Debug, Clone)]
pub struct Config {
    /// Port 0 takes a free one.
    pub listen: SocketAddr,
    /// User and password it demands; `None` lets everybody in.
    pub credentials: Option<(String, String)>,
    /// What it offers.
    pub catalog: Catalog,
    /// Ids of the plans whose every change is asynchronous. All others are synchronous.
    pub asynchronous: Vec<String>,
    /// How often an operation answers `in progress` before it ends. Counted in polls, not in time, so that
    /// tests are the same on every machine.
    pub polls: u32,
    /// `Retry-After` in seconds on `in progress`.
    pub retry_after: Option<u64>,
}

impl Default for Config {
    /// A free port, user `user` with password `password`, the standard catalog, one `in progress` per operation.
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            credentials: Some(("user".to_owned(), "password".to_owned())),
            catalog: standard_catalog(),
            asynchronous: vec![ASYNC_PLAN.to_owned()],
            polls: 1,
            retry_after: None,
        }
    }
}
