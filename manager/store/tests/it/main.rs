//! The suite. A test runs on both engines: a SQLite file and a PostgreSQL server.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod ended;
mod engines;
mod samples;

mod audit;
mod bindings;
mod brokers;
mod cascades;
mod catalogs;
mod credentials;
mod deeds;
mod full;
mod identity;
mod instances;
mod keys;
mod migrations;
mod operations;
mod outbox;
mod paging;
mod platforms;
mod queries;
mod races;
mod retention;
mod scopes;
mod shares;
mod touches;
mod visibilities;
