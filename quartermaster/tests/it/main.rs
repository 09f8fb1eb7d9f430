//! Tests of the executable as its users meet it: the real `quartermaster manager`, over HTTP and WebSockets,
//! on both engines. One binary: one link, one start.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

#[macro_use]
mod harness;
