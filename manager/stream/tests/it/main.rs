//! The stream on the real store, on both engines.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod catching_up;
mod cutting;
mod engines;
mod order;
mod outages;
mod replicas;
mod touches;
