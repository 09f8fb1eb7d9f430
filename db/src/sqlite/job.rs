//! What the SQLite threads do: a closure or a single statement, and the caller who waits for it.
//!
//! The rule that keeps it right: `run` may be called again (a group that could not commit is
//! repeated one by one), and only `finish` speaks to the caller.

use rusqlite::Connection;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::oneshot;

use super::near;
use crate::error::Error;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::value::{Param, Value, ValueRef};

/// How much protection a job needs around it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A closure that writes: a savepoint, because it may fail half way.
    Transaction,
    /// A single write: SQLite undoes a failed statement by itself.
    Statement,
    /// A closure that reads: one snapshot.
    Read,
    /// A single query.
    Look,
}

impl Kind {
    pub(crate) fn reads_only(self) -> bool {
        matches!(self, Self::Read | Self::Look)
    }
}

pub(crate) trait Job: Send {
    fn kind(&self) -> Kind;
    /// The runtime that the caller waits on, if it has threads to spare for answers.
    fn home(&self) -> Option<&Handle>;
    /// Nobody waits for it any more; before it has started it need not start.
    fn abandoned(&self) -> bool;
    /// Does the work and keeps the outcome. False: undo what it did.
    fn run(&mut self, conn: &Connection) -> bool;
    /// Tells the caller, now that the commit has succeeded or failed.
    fn finish(self: Box<Self>, commit: Result<(), Error>);
}

pub(crate) struct Closure<F, T, E> {
    f: F,
    kind: Kind,
    home: Option<Handle>,
    outcome: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<F, T, E> Closure<F, T, E> {
    pub(crate) fn new(f: F, kind: Kind) -> (Self, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        (
            Self {
                f,
                kind,
                home: home(),
                outcome: None,
                reply,
            },
            answer,
        )
    }
}

impl<F, T, E> Job for Closure<F, T, E>
where
    F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send,
    T: Send,
    E: From<Error> + Send,
{
    fn kind(&self) -> Kind {
        self.kind
    }

    fn home(&self) -> Option<&Handle> {
        self.home.as_ref()
    }

    fn abandoned(&self) -> bool {
        self.reply.is_closed()
    }

    fn run(&mut self, conn: &Connection) -> bool {
        let outcome = near::run(conn, self.f.clone());
        let keep = outcome.is_ok();
        self.outcome = Some(outcome);
        keep
    }

    fn finish(self: Box<Self>, commit: Result<(), Error>) {
        reply(self.reply, self.outcome, commit);
    }
}

type Act<T> = fn(&Connection, &Sql, &[ValueRef<'_>]) -> Result<T, Error>;

pub(crate) struct Statement<T> {
    sql: Sql,
    params: Vec<Value>,
    kind: Kind,
    act: Act<T>,
    home: Option<Handle>,
    outcome: Option<Result<T, Error>>,
    reply: oneshot::Sender<Result<T, Error>>,
}

impl<T> Statement<T> {
    pub(crate) fn new(
        sql: Sql,
        params: Vec<Value>,
        kind: Kind,
        act: Act<T>,
    ) -> (Self, oneshot::Receiver<Result<T, Error>>) {
        let (reply, answer) = oneshot::channel();
        (
            Self {
                sql,
                params,
                kind,
                act,
                home: home(),
                outcome: None,
                reply,
            },
            answer,
        )
    }
}

impl<T: Send> Job for Statement<T> {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn home(&self) -> Option<&Handle> {
        self.home.as_ref()
    }

    fn abandoned(&self) -> bool {
        self.reply.is_closed()
    }

    fn run(&mut self, conn: &Connection) -> bool {
        let params: Vec<_> = self.params.iter().map(Param::value).collect();
        let outcome = (self.act)(conn, &self.sql, &params);
        let keep = outcome.is_ok();
        self.outcome = Some(outcome);
        keep
    }

    fn finish(self: Box<Self>, commit: Result<(), Error>) {
        reply(self.reply, self.outcome, commit);
    }
}

/// A runtime of one thread is left out: whoever blocks that thread may be waiting for us.
fn home() -> Option<Handle> {
    Handle::try_current()
        .ok()
        .filter(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread)
}

/// A job's own failure counts more than the commit's; a success counts only with the commit's.
/// A caller that is gone is not an error.
fn reply<T, E: From<Error>>(
    reply: oneshot::Sender<Result<T, E>>,
    outcome: Option<Result<T, E>>,
    commit: Result<(), Error>,
) {
    let answer = match (outcome, commit) {
        (Some(Ok(value)), Ok(())) => Ok(value),
        (Some(Err(error)), _) => Err(error),
        (_, Err(error)) => Err(E::from(error)),
        (None, Ok(())) => Err(E::from(Error::Closed)),
    };
    drop(reply.send(answer));
}
