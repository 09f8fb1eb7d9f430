//! A scratch PostgreSQL: one server per test process, one database per test.
//!
//! Tests call `database()`; benchmarks and fault tests start a `Server` of their own. The rule: whatever
//! becomes of the process that started it, no server and no directory is left behind (`watchdog`).

mod database;
mod error;
mod place;
mod programs;
mod server;
mod template;

pub use database::Database;
pub use error::Error;
pub use server::{Options, Server};

use std::sync::OnceLock;

/// The server of this process, started at the first call. `None`, after one printed line, when
/// the machine has no PostgreSQL server programs.
///
/// # Panics
/// When the programs are missing and the environment has `CI`, where a skipped test would be a test
/// nobody runs; and when the programs are there but the server does not start.
pub fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER
        .get_or_init(|| match Server::start(Options::default()) {
            Ok(server) => Some(server),
            Err(Error::Absent { reason }) => {
                crate::skip(&format!("no PostgreSQL server programs ({reason})"));
                None
            }
            Err(error) => crate::fail(&error),
        })
        .as_ref()
}

/// A fresh, empty database on the server of this process. `None` as for [`server()`].
///
/// # Panics
/// As [`server()`], and when the database cannot be made.
pub async fn database() -> Option<Database> {
    // Starting the server and creating a database wait for other programs; neither may hold up a runtime
    // that has one thread.
    let made = tokio::task::spawn_blocking(|| Some(server()?.database())).await;
    match made {
        Ok(made) => made.map(|made| made.unwrap_or_else(|error| crate::fail(&error))),
        Err(panicked) => match panicked.try_into_panic() {
            Ok(payload) => std::panic::resume_unwind(payload),
            Err(error) => crate::fail(&error),
        },
    }
}
