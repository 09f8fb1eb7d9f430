//! Tests of the crate as its users see it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod bodies;
mod examples;
mod golden;
mod patch;
mod paths;
mod schema;
mod secrets;
mod shapes;
