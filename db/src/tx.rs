//! A transaction under way. The closure handed to [`Db::transaction`](crate::Db::transaction) or
//! [`Db::read`](crate::Db::read) gets one.
//!
//! The rule that keeps it right: after a failed statement the transaction is doomed on both
//! engines alike. PostgreSQL cannot go on; SQLite could, and must not, or the same closure would
//! commit on one and not on the other. To let a conflict pass write `ON CONFLICT DO NOTHING`.

use std::cell::{Cell, RefCell};

use crate::error::Error;
use crate::postgres::{self, Failure};
use crate::row::Row;
use crate::sql::Sql;
use crate::sqlite;
use crate::value::{Param, ValueRef};

/// A transaction under way.
pub struct Tx<'c> {
    conn: Conn<'c>,
    doomed: Cell<bool>,
    used: Cell<bool>,
    /// Statements that the closure is waiting for.
    waiting: Cell<usize>,
    /// A failure after which the whole attempt can be made again.
    failure: RefCell<Option<Failure>>,
}

enum Conn<'c> {
    Sqlite(&'c rusqlite::Connection),
    Postgres(&'c postgres::Session),
}

impl<'c> Tx<'c> {
    pub(crate) fn sqlite(conn: &'c rusqlite::Connection) -> Self {
        Self::new(Conn::Sqlite(conn))
    }

    pub(crate) fn postgres(session: &'c postgres::Session) -> Self {
        Self::new(Conn::Postgres(session))
    }

    fn new(conn: Conn<'c>) -> Self {
        Self {
            conn,
            doomed: Cell::new(false),
            used: Cell::new(false),
            waiting: Cell::new(0),
            failure: RefCell::new(None),
        }
    }

    /// Runs a statement and says how many rows it changed.
    ///
    /// # Errors
    /// Whatever the engine says, see [`Error`]; then the transaction can only end.
    pub async fn execute(&self, sql: impl Into<Sql>, params: &[&dyn Param]) -> Result<u64, Error> {
        let sql = sql.into();
        let values = values(params);
        let under = self.start()?;
        under.end(match self.conn {
            Conn::Sqlite(conn) => sqlite::execute(conn, &sql, &values).map_err(Failure::from),
            Conn::Postgres(session) => session.execute(&sql, &values).await,
        })
    }

    /// Runs a statement and returns its rows: a `SELECT`, or a write with `RETURNING`.
    ///
    /// # Errors
    /// Whatever the engine says, see [`Error`]; then the transaction can only end.
    pub async fn query(
        &self,
        sql: impl Into<Sql>,
        params: &[&dyn Param],
    ) -> Result<Vec<Row>, Error> {
        let sql = sql.into();
        let values = values(params);
        let under = self.start()?;
        under.end(match self.conn {
            Conn::Sqlite(conn) => sqlite::query(conn, &sql, &values).map_err(Failure::from),
            Conn::Postgres(session) => session.query(&sql, &values).await,
        })
    }

    /// Runs a statement and returns its first row, if it has one.
    ///
    /// # Errors
    /// Whatever the engine says, see [`Error`]; then the transaction can only end.
    pub async fn query_opt(
        &self,
        sql: impl Into<Sql>,
        params: &[&dyn Param],
    ) -> Result<Option<Row>, Error> {
        Ok(self.query(sql, params).await?.into_iter().next())
    }

    /// Runs a text of several statements without parameters, such as a migration.
    pub(crate) async fn batch(&self, sql: &Sql) -> Result<(), Error> {
        let under = self.start()?;
        under.end(match self.conn {
            Conn::Sqlite(conn) => sqlite::batch(conn, sql).map_err(Failure::from),
            Conn::Postgres(session) => session.batch(sql).await,
        })
    }

    fn start(&self) -> Result<Under<'_, 'c>, Error> {
        if self.doomed.get() {
            return Err(Error::Doomed);
        }
        self.used.set(true);
        self.waiting.set(self.waiting.get() + 1);
        Ok(Under {
            tx: self,
            ended: false,
        })
    }

    /// Whether the closure has run any statement.
    pub(crate) fn used(&self) -> bool {
        self.used.get()
    }

    /// Whether the closure is waiting for a statement of its own.
    pub(crate) fn waiting(&self) -> bool {
        self.waiting.get() > 0
    }

    /// Why the whole attempt can be made again, if it failed for such a reason.
    pub(crate) fn take_failure(&self) -> Option<Failure> {
        self.failure.take()
    }

    /// A closure that says all is well after a failed statement is not believed.
    pub(crate) fn verdict<T, E: From<Error>>(&self, outcome: Result<T, E>) -> Result<T, E> {
        match outcome {
            Ok(_) if self.doomed.get() => Err(E::from(Error::Doomed)),
            other => other,
        }
    }
}

/// A statement under way. One that is dropped before it ended may have failed unseen, so it dooms
/// the transaction too.
struct Under<'t, 'c> {
    tx: &'t Tx<'c>,
    ended: bool,
}

impl Under<'_, '_> {
    fn end<T>(mut self, result: Result<T, Failure>) -> Result<T, Error> {
        match result {
            Ok(value) => {
                self.ended = true;
                Ok(value)
            }
            Err(failure) => {
                let error = failure.error.clone();
                if failure.again.is_some() {
                    self.tx.failure.replace(Some(failure));
                }
                Err(error)
            }
        }
    }
}

impl Drop for Under<'_, '_> {
    fn drop(&mut self) {
        self.tx.waiting.set(self.tx.waiting.get() - 1);
        if !self.ended {
            self.tx.doomed.set(true);
        }
    }
}

fn values<'p>(params: &'p [&'p dyn Param]) -> Vec<ValueRef<'p>> {
    params.iter().map(|param| param.value()).collect()
}
