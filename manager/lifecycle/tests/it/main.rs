//! Deeds against real stores, brokers and issuers of this machine.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod clock;
mod identity;
mod memory;
