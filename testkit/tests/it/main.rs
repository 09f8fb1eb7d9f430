//! The test kit's own tests: what others stand on must itself hold.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod hostile;
mod openbrokerapi;
mod postgres;
mod process;
mod victim;
