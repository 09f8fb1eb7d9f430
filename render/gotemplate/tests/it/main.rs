//! Tests of the template engine.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod differential;
mod golden;
mod grammar;
mod limits;
mod oracle;
mod ours;
mod world;
