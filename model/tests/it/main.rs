//! Tests of the crate as its users see it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod label;
mod page;
mod query;
mod query_errors;
mod query_round_trip;
