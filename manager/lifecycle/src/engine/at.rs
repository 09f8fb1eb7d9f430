//! Places where a test may let the process die. Every step of the engine names itself here.
//!
//! The rule: in a program that is built for use this is nothing at all.

#[cfg(debug_assertions)]
use std::sync::atomic::{AtomicU64, Ordering};

/// The step `verb.step` is reached. With `QUARTERMASTER_DIE_AT=verb.step` in the environment of a debug build the process ends
/// here, at once and without a word; with `QUARTERMASTER_DIE_AT=verb.step:n` when it is reached for the n-th time.
#[cfg(debug_assertions)]
pub(crate) fn at(verb: &str, step: &str) {
    static REACHED: AtomicU64 = AtomicU64::new(0);
    let Ok(wanted) = std::env::var("QUARTERMASTER_DIE_AT") else {
        return;
    };
    let (place, nth) = match wanted.split_once(':') {
        Some((place, nth)) => (place, nth.parse().unwrap_or(1)),
        None => (wanted.as_str(), 1),
    };
    if place
        .split_once('.')
        .is_none_or(|(v, s)| v != verb || s != step)
    {
        return;
    }
    if REACHED.fetch_add(1, Ordering::SeqCst) + 1 == nth {
        std::process::abort();
    }
}

/// Nothing.
#[cfg(not(debug_assertions))]
pub(crate) fn at(_verb: &str, _step: &str) {}
