//! Tests of the crate as its users see it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod any;
mod binding_problems;
mod catalog_problems;
mod echo;
mod golden;
mod messages;
mod mitigation;
mod round_trip;
mod wire;
