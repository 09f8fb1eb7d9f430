//! A single statement that commits by itself, and several of them in one flight.
//!
//! When more callers wait than there are connections, a slot sends several callers' statements
//! without waiting for the answers in between. Each is still its own transaction with its own
//! fate. The rule that keeps it right: reads travel with reads, so that they never wait for a lock
//! behind a write; and a write whose connection was lost is not repeated, because the server may have
//! committed it.

use futures_util::future::join_all;
use tokio::sync::oneshot;

use super::fault::{Again, Failure};
use super::session::Session;
use super::slot::{Patience, Slot};
use crate::error::Error;
use crate::row::Row;
use crate::sql::Sql;
use crate::value::{Param, Value};

/// The three single statements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    Execute,
    Returning,
    Look,
}

pub(crate) enum Done {
    Count(u64),
    Rows(Vec<Row>),
}

pub(crate) struct Statement {
    sql: Sql,
    params: Vec<Value>,
    deed: Deed,
    reply: oneshot::Sender<Result<Done, Error>>,
}

impl Statement {
    pub(crate) fn new(
        sql: Sql,
        params: Vec<Value>,
        deed: Deed,
    ) -> (Self, oneshot::Receiver<Result<Done, Error>>) {
        let (reply, answer) = oneshot::channel();
        (
            Self {
                sql,
                params,
                deed,
                reply,
            },
            answer,
        )
    }

    /// Nobody waits for it any more; before it has started it need not start.
    pub(crate) fn abandoned(&self) -> bool {
        self.reply.is_closed()
    }

    /// Whether the two may travel in one flight.
    pub(crate) fn travels_with(&self, other: &Self) -> bool {
        (self.deed == Deed::Look) == (other.deed == Deed::Look)
    }

    /// Runs statements in one flight and tells the callers.
    pub(crate) async fn run_all(group: Vec<Self>, slot: &mut Slot) {
        let session = match slot.session().await {
            Ok(session) => session,
            Err(error) => {
                for statement in group {
                    statement.answer(Err(error.clone()));
                }
                return;
            }
        };
        // A query that this connection has not seen yet has a transaction around it, and nobody
        // else may get into that.
        let (together, apart): (Vec<_>, Vec<_>) = group
            .into_iter()
            .partition(|it| it.deed != Deed::Look || session.knows_to_read(&it.sql));
        let mut again = Vec::new();
        let attempts = join_all(together.into_iter().map(|it| it.attempt(session))).await;
        again.extend(attempts.into_iter().flatten());
        for statement in apart {
            statement.run(slot, Patience::default()).await;
        }
        for (statement, failure) in again {
            let mut patience = Patience::default();
            match patience.again(failure).await {
                Ok(()) => statement.run(slot, patience).await,
                Err(error) => statement.answer(Err(error)),
            }
        }
    }

    async fn run(self, slot: &mut Slot, mut patience: Patience) {
        let mut statement = self;
        loop {
            let session = match slot.session().await {
                Ok(session) => session,
                Err(error) => return statement.answer(Err(error)),
            };
            let Some((same, failure)) = statement.attempt(session).await else {
                return;
            };
            match patience.again(failure).await {
                Ok(()) => statement = same,
                Err(error) => return same.answer(Err(error)),
            }
        }
    }

    /// One attempt. Tells the caller, or gives back what may be tried again.
    async fn attempt(self, session: &Session) -> Option<(Self, Failure)> {
        let params: Vec<_> = self.params.iter().map(Param::value).collect();
        let done = match self.deed {
            Deed::Execute => session.execute(&self.sql, &params).await.map(Done::Count),
            Deed::Returning => session.query(&self.sql, &params).await.map(Done::Rows),
            Deed::Look => session.look(&self.sql, &params).await.map(Done::Rows),
        };
        drop(params);
        match done {
            Ok(done) => self.answer(Ok(done)),
            // It commits by itself: the server may have done that before it was lost.
            Err(Failure {
                again: Some(Again::Lost),
                ..
            }) if self.deed != Deed::Look => {
                self.answer(Err(Error::Unknown));
            }
            Err(failure) if failure.again.is_some() => return Some((self, failure)),
            Err(failure) => self.answer(Err(failure.error)),
        }
        None
    }

    /// A caller that is gone is not an error.
    fn answer(self, answer: Result<Done, Error>) {
        drop(self.reply.send(answer));
    }
}
