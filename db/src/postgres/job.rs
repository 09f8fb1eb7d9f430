//! What a slot does: a closure or a single statement, and the caller who waits for it.
//!
//! The rule that keeps it right: an attempt is made again only when it is certain that the server
//! kept nothing of it. A connection lost while a write was on its way to be committed means that
//! nobody knows, and the caller is told exactly that.

use std::future::Future;
use std::pin::Pin;

use tokio::sync::oneshot;

use super::attempt::{Attempt, attempt};
use super::fault::{Again, Failure};
use super::slot::{Patience, Slot};
use crate::error::Error;
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::value::{Param, Value, ValueRef};

pub(crate) type Working<'s> = Pin<Box<dyn Future<Output = ()> + 's>>;

pub(crate) trait Job: Send {
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

impl<F, T, E> Job for Closure<F, T, E>
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
}

impl Job for Statement {
    fn abandoned(&self) -> bool {
        self.reply.is_closed()
    }

    fn run(self: Box<Self>, slot: &mut Slot) -> Working<'_> {
        Box::pin(async move {
            let Self {
                sql,
                params,
                deed,
                reply,
            } = *self;
            let params: Vec<_> = params.iter().map(Param::value).collect();
            let mut patience = Patience::default();
            let answer = loop {
                match once(slot, &sql, &params, deed).await {
                    Ok(done) => break Ok(done),
                    Err(failure) => {
                        if let Err(error) = patience.again(failure).await {
                            break Err(error);
                        }
                    }
                }
            };
            drop(reply.send(answer));
        })
    }
}

async fn once(
    slot: &mut Slot,
    sql: &Sql,
    params: &[ValueRef<'_>],
    deed: Deed,
) -> Result<Done, Failure> {
    let session = slot.session().await?;
    let done = match deed {
        Deed::Execute => session.execute(sql, params).await.map(Done::Count),
        Deed::Returning => session.query(sql, params).await.map(Done::Rows),
        Deed::Look => session.look(sql, params).await.map(Done::Rows),
    };
    match done {
        Err(failure) if failure.again == Some(Again::Lost) => {
            slot.drop_session();
            match deed {
                Deed::Look => Err(failure),
                // It commits by itself: the server may have done that before it was lost.
                Deed::Execute | Deed::Returning => Err(Error::Unknown.into()),
            }
        }
        other => other,
    }
}
