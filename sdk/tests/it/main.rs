//! All integration tests of the SDK, in one binary: one link, one start.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

#[cfg(feature = "cli")]
mod args;
mod auth;
mod concurrency;
mod desk;
mod halt;
mod hooks;
mod later;
mod lifecycle;
mod puppet;
mod replicas;
mod resume;
mod rotate;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "otel")]
mod telemetry;
mod update;
