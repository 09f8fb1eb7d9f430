//! The decisions, each against a table.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod access;
mod condition;
mod door;
mod share;
mod token;
