//! One attempt at a transaction: BEGIN, the closure, COMMIT or ROLLBACK.
//!
//! The rule that keeps it right: BEGIN travels together with the closure's first statement, which
//! saves a round trip; so both answers are waited for, and if BEGIN alone had failed, the
//! statement would have been committed by itself, which is reported as an unknown outcome.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use super::fault::{Again, Failure};
use super::session::Session;
use crate::error::Error;
use crate::tx::Tx;

pub(crate) struct Attempt<T, E> {
    /// The final answer, or why another attempt may be made.
    pub(crate) result: Result<Result<T, E>, Failure>,
    /// The connection is outside of a transaction and can be used again.
    pub(crate) clean: bool,
}

pub(crate) async fn attempt<T, E, F>(session: &Session, begin: &'static str, f: F) -> Attempt<T, E>
where
    F: AsyncFnOnce(&Tx<'_>) -> Result<T, E>,
    E: From<Error>,
{
    let tx = Tx::postgres(session);
    let (begun, outcome) = together(session.command(begin), f(&tx), &tx).await;
    if let Err(failure) = begun {
        let result = match failure.again {
            Some(Again::Lost) => Err(failure),
            _ if tx.used() => Ok(Err(E::from(Error::Unknown))),
            _ => Err(failure),
        };
        return Attempt {
            result,
            clean: false,
        };
    }
    let outcome = outcome.unwrap_or_else(|error| Err(E::from(error)));
    if let Some(failure) = tx.take_failure() {
        let clean = failure.again != Some(Again::Lost) && undo(session).await;
        return Attempt {
            result: Err(failure),
            clean,
        };
    }
    match tx.verdict(outcome) {
        Ok(value) => commit(session, value).await,
        Err(error) => Attempt {
            result: Ok(Err(error)),
            clean: undo(session).await,
        },
    }
}

async fn commit<T, E: From<Error>>(session: &Session, value: T) -> Attempt<T, E> {
    match session.command("COMMIT").await {
        Ok(()) => Attempt {
            result: Ok(Ok(value)),
            clean: true,
        },
        Err(Failure {
            again: Some(Again::Lost),
            ..
        }) => Attempt {
            result: Ok(Err(E::from(Error::Unknown))),
            clean: false,
        },
        // A COMMIT that is refused has rolled back.
        Err(failure @ Failure { again: Some(_), .. }) => Attempt {
            result: Err(failure),
            clean: true,
        },
        Err(failure) => Attempt {
            result: Ok(Err(E::from(failure.error))),
            clean: true,
        },
    }
}

async fn undo(session: &Session) -> bool {
    session.command("ROLLBACK").await.is_ok()
}

/// Drives BEGIN and the closure side by side. The closure's outcome is an error of ours when it
/// panicked, or waited for something that was not a statement of its own.
async fn together<O>(
    begin: impl Future<Output = Result<(), Failure>>,
    closure: impl Future<Output = O>,
    tx: &Tx<'_>,
) -> (Result<(), Failure>, Result<O, Error>) {
    let mut begin = pin!(begin);
    let mut closure = pin!(closure);
    let mut begun = None;
    let mut outcome = None;
    poll_fn(|cx| {
        if begun.is_none()
            && let Poll::Ready(done) = begin.as_mut().poll(cx)
        {
            begun = Some(done);
        }
        if outcome.is_none() {
            // What the closure could leave broken is its own; the transaction is rolled back.
            outcome = match catch_unwind(AssertUnwindSafe(|| closure.as_mut().poll(cx))) {
                Ok(Poll::Ready(done)) => Some(Ok(done)),
                Ok(Poll::Pending) if tx.waiting() => None,
                Ok(Poll::Pending) => Some(Err(Error::Strayed)),
                Err(_) => Some(Err(Error::Panicked)),
            };
        }
        match (begun.take(), outcome.take()) {
            (Some(begun), Some(outcome)) => Poll::Ready((begun, outcome)),
            (pending_begin, pending_outcome) => {
                begun = pending_begin;
                outcome = pending_outcome;
                Poll::Pending
            }
        }
    })
    .await
}
