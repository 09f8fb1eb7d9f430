//! A panic in the author's code is that call's failure, not the broker's end.

use crate::broker::failure::Failure;
use std::any::Any;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::task::Poll;

/// Runs a function of the author's; a panic is an error of its own.
pub(crate) async fn caught<T>(
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    unharmed(work).await.unwrap_or_else(|text| {
        let text = format!("the broker's function panicked: {text}");
        Err(std::io::Error::other(text).into())
    })
}

/// Runs a future of the author's; `Err` is what it said when it panicked.
pub(crate) async fn unharmed<T>(work: impl Future<Output = T>) -> Result<T, String> {
    let mut work = pin!(work);
    std::future::poll_fn(|context| {
        match std::panic::catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
            Ok(poll) => poll.map(Ok),
            Err(panic) => Poll::Ready(Err(text(&*panic))),
        }
    })
    .await
}

fn text(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default()
}
