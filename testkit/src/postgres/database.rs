//! One database of a scratch server, for one test.
//!
//! The rule: names are never used twice in a process, so a database that could not be dropped in time
//! disturbs nobody.

use super::Error;
use super::server::Inner;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A fresh, empty database. Dropped with this value, in the background and as far as possible; it goes
/// with its server at the latest.
#[derive(Debug)]
pub struct Database {
    server: Arc<Inner>,
    name: String,
}

impl Database {
    pub(super) fn create(server: &Arc<Inner>) -> Result<Self, Error> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let name = format!("t{}", NEXT.fetch_add(1, Ordering::Relaxed));
        server.psql("postgres", &format!("create database {name}"))?;
        Ok(Self {
            server: Arc::clone(server),
            name,
        })
    }

    /// Its name on the server.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `postgres://test@127.0.0.1:PORT/NAME`.
    pub fn url(&self) -> String {
        self.server.url(&self.name)
    }

    /// The same by the unix socket.
    pub fn socket_url(&self) -> String {
        self.server.socket_url(&self.name)
    }

    /// Runs SQL by `psql`; rows come back as lines, columns separated by `|`.
    pub fn psql(&self, sql: &str) -> Result<String, Error> {
        self.server.psql(&self.name, sql)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let server = Arc::clone(&self.server);
        let sql = format!("drop database if exists {} with (force)", self.name);
        // A thread, because a test's end must not wait for the server.
        std::thread::spawn(move || {
            let _ = server.psql("postgres", &sql);
        });
    }
}
