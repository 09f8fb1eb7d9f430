//! Runs a transaction's closure on a SQLite thread, where no statement ever has to be waited for.
//!
//! The rule that keeps it right: a transaction holds the only writer, so one that waits for the
//! world would stop everybody; it is undone instead. `postgres/attempt.rs` holds closures to the same
//! rule there.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::error::Error;

/// Runs a future that never has to wait. `Strayed` when it does.
pub(crate) fn at_once<O>(future: impl Future<Output = O>) -> Result<O, Error> {
    let mut future = pin!(future);
    match future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(out) => Ok(out),
        Poll::Pending => Err(Error::Strayed),
    }
}
