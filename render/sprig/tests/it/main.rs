//! One test binary: golden cases made by Go's sprig, and properties of what chance or the clock decides.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod certificates;
mod data;
mod golden;
mod interoperator;
mod limits;
mod outside;
mod random;
