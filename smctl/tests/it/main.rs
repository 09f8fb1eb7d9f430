//! The program as a person meets it: outputs, exit codes, interruption.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod exec;
mod files;
mod golden;
mod issuer;
mod lab;
mod login;
mod own;
mod platform;
mod sso;
mod terminal;
mod verify;
