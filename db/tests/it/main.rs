//! The suite. A test runs on every engine where it can: a SQLite file, SQLite in memory, and a
//! PostgreSQL server.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod engines;

mod concurrency;
mod statements;
mod transactions;
