//! The suite against real brokers: the examples, the examples broken in many ways, and a broker of others; and against a
//! platform, sound and broken.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod brokers;
mod examples;
mod filters;
mod hostile;
mod interrupted;
mod mutants;
mod openbrokerapi;
mod platforms;
mod tls;
