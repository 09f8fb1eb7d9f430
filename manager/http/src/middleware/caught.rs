//! Turns a panic into a 500. A fault in one handler must not cost the callers on other connections, and
//! its own caller gets an answer that names where to look.

use crate::{Failure, meter};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use std::any::Any;
use std::future::Future;
use std::panic::AssertUnwindSafe;

pub(super) async fn catch(answering: impl Future<Output = Response>) -> Response {
    // What a panic leaves half done is dropped with the future; what lives on is behind locks that heal.
    match AssertUnwindSafe(answering).catch_unwind().await {
        Ok(response) => response,
        Err(panic) => {
            meter::panicked();
            Failure::panicked(message(panic.as_ref())).into_response()
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without words")
}

#[cfg(test)]
#[allow(clippy::panic, reason = "a panic is what is tested")]
mod tests {
    use super::*;
    use crate::error::answer;

    #[tokio::test]
    async fn a_panic_is_answered_and_its_words_are_for_the_log() {
        let response = catch(async { panic!("hunter2") }).await;
        let failure = answer::of(&response).unwrap();
        assert_eq!(failure.status.as_u16(), 500);
        assert!(!failure.description.contains("hunter2"));
        assert_eq!(failure.cause.as_deref(), Some("hunter2"));
    }

    #[test]
    fn both_kinds_of_message_are_read() {
        let plain = std::panic::catch_unwind(|| panic!("plain")).unwrap_err();
        let made = std::panic::catch_unwind(|| panic!("made of {}", 2)).unwrap_err();
        assert_eq!(message(plain.as_ref()), "plain");
        assert_eq!(message(made.as_ref()), "made of 2");
    }
}
