#![doc = include_str!("../README.md")]

mod cache;
pub mod clock;
pub mod hostile;
pub mod http;
pub mod openbrokerapi;
pub mod postgres;
pub mod process;
mod watchdog;

use std::io::Write;

/// Says why a test does nothing; where `CI` is set a test that does nothing is a failure.
#[expect(
    clippy::panic,
    reason = "a skipped test in CI must stop the test that asked"
)]
fn skip(why: &str) {
    if std::env::var_os("CI").is_some() {
        panic!("CI is set and there is {why}");
    }
    // Not `eprintln!`: the harness would keep the line of a test that passes to itself.
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

/// Stops the test that asked, with the whole chain of causes.
#[expect(
    clippy::panic,
    reason = "callers are tests, and their helper did not come up"
)]
fn fail(error: &dyn std::error::Error) -> ! {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    panic!("{text}");
}
