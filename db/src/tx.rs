//! A transaction under way. The closure handed to [`Db::transaction`](crate::Db::transaction) or
//! [`Db::read`](crate::Db::read) gets one.
//!
//! The rule that keeps it right: after a failed statement the transaction is doomed on both
//! engines alike. PostgreSQL cannot go on; SQLite could, and must not, or the same closure would
//! commit on one and not on the other. To let a conflict pass write `ON CONFLICT DO NOTHING`.

use std::cell::Cell;

use crate::error::Error;
use crate::row::Row;
use crate::sql::Sql;
use crate::sqlite;
use crate::value::{Param, ValueRef};

/// A transaction under way.
pub struct Tx<'c> {
    conn: &'c rusqlite::Connection,
    doomed: Cell<bool>,
}

impl<'c> Tx<'c> {
    pub(crate) fn sqlite(conn: &'c rusqlite::Connection) -> Self {
        Self {
            conn,
            doomed: Cell::new(false),
        }
    }

    /// Runs a statement and says how many rows it changed.
    ///
    /// # Errors
    /// Whatever the engine says, see [`Error`]; then the transaction can only end.
    pub async fn execute(&self, sql: impl Into<Sql>, params: &[&dyn Param]) -> Result<u64, Error> {
        let (sql, values) = self.start(sql, params)?;
        self.end(sqlite::execute(self.conn, &sql, &values))
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
        let (sql, values) = self.start(sql, params)?;
        self.end(sqlite::query(self.conn, &sql, &values))
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
        let (sql, _) = self.start(sql, &[])?;
        self.end(sqlite::batch(self.conn, &sql))
    }

    fn start<'p>(
        &self,
        sql: impl Into<Sql>,
        params: &'p [&'p dyn Param],
    ) -> Result<(Sql, Vec<ValueRef<'p>>), Error> {
        if self.doomed.get() {
            return Err(Error::Doomed);
        }
        Ok((
            sql.into(),
            params.iter().map(|param| param.value()).collect(),
        ))
    }

    fn end<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        if result.is_err() {
            self.doomed.set(true);
        }
        result
    }

    /// A closure that says all is well after a failed statement is not believed.
    pub(crate) fn verdict<T, E: From<Error>>(&self, outcome: Result<T, E>) -> Result<T, E> {
        match outcome {
            Ok(_) if self.doomed.get() => Err(E::from(Error::Doomed)),
            other => other,
        }
    }
}
