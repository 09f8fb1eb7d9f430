//! The relay against brokers that behave, misbehave, hang, lie and speak TLS in every wrong way.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod answers;
mod ask;
mod breaker;
mod canary;
mod catalog;
mod defects;
mod denied;
mod isolation;
mod issuer;
mod metrics;
mod oauth;
mod pass;
mod passed_faults;
mod sign;
mod storm;
mod support;
mod tls;
