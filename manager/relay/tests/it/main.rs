//! The relay against brokers that behave, misbehave, hang, lie and speak TLS in every wrong way.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod answers;
mod breaker;
mod canary;
mod catalog;
mod isolation;
mod issuer;
mod metrics;
mod oauth;
mod support;
mod tls;
