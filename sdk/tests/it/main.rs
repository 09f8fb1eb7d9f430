//! All integration tests of the SDK, in one binary: one link, one start.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod anything;
#[cfg(feature = "cli")]
mod args;
mod auth;
mod concurrency;
mod desk;
mod guide;
mod halt;
mod hooks;
#[cfg(feature = "cli")]
mod kill;
mod later;
mod lifecycle;
mod mount;
mod puppet;
mod replicas;
mod resume;
mod robustness;
mod rotate;
mod schema;
#[cfg(feature = "server")]
mod secrets;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "otel")]
mod telemetry;
mod update;
mod versions;
