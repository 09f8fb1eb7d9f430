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

mod access;
mod audit;
mod canary;
mod cascade;
mod cli;
mod compat;
mod config;
mod defects;
mod faults;
mod model_platform;
mod openapi;
mod osb;
mod people;
mod queries;
mod registry;
mod sharing;
mod verify;
