//! What a slot does: a closure, or a single statement (`statement.rs`), and the caller who waits.
//!
//! The rule that keeps it right: an attempt is made again only when it is certain that the server
//! kept nothing of it. A connection lost while a write was on its way to be committed means that
//! nobody knows, and the caller is told exactly that.

use std::future::Future;
use std::pin::Pin;

use tokio::sync::oneshot;

use super::attempt::{Attempt, attempt};
use super::slot::{Patience, Slot};
use super::statement::Statement;
use crate::error::Error;
use crate::tx::Tx;

pub(crate) type Working<'s> = Pin<Box<dyn Future<Output = ()> + 's>>;

/// What is handed to a slot.
pub(crate) enum Job {
    Closure(Box<dyn Work>),
    Statement(Statement),
}

impl Job {
    pub(crate) fn into_statement(self) -> Option<Statement> {
        match self {
            Self::Closure(_) => None,
            Self::Statement(statement) => Some(statement),
        }
    }
}

/// A closure whose types are forgotten.
pub(crate) trait Work: Send {
    /// Nobody waits for it any more; before it has started it need not start.
    fn abandoned(&self) -> bool;
    /// Does the work and tells the caller.
    fn run(self: Box<Self>, slot: &mut Slot) -> Working<'_>;
}

pub(crate) struct Closure<F, T, E> {
    f: F,
    begin: &'static str,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<F, T, E> Closure<F, T, E> {
    pub(crate) fn new(f: F, begin: &'static str) -> (Self, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        (Self { f, begin, reply }, answer)
    }
}

impl<F, T, E> Work for Closure<F, T, E>
where
    F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    fn abandoned(&self) -> bool {
        self.reply.is_closed()
    }

    fn run(self: Box<Self>, slot: &mut Slot) -> Working<'_> {
        Box::pin(async move {
            let mut patience = Patience::default();
            let answer = loop {
                let session = match slot.session().await {
                    Ok(session) => session,
                    Err(error) => break Err(E::from(error)),
                };
                let Attempt { result, clean } = attempt(session, self.begin, self.f.clone()).await;
                if !clean {
                    slot.drop_session();
                }
                match result {
                    Ok(done) => break done,
                    Err(failure) => {
                        if let Err(error) = patience.again(failure).await {
                            break Err(E::from(error));
                        }
                    }
                }
            };
            drop(self.reply.send(answer));
        })
    }
}
