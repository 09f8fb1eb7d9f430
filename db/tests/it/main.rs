//! The suite. A test runs on every engine where it can: a SQLite file, SQLite in memory, and a
//! PostgreSQL server.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod engines;

mod combining;
mod concurrency;
mod crash;
mod leases;
mod migrations;
mod options;
mod sealing;
mod server;
mod sqlite_file;
mod statements;
mod transactions;
