//! One connection with its prepared statements. A slot owns it; [`Tx`](crate::Tx) runs on it.
//!
//! The rule that keeps it right: a statement is prepared once and found again by its text; a
//! query that came in by the reading door runs in a read-only transaction the first time, so the
//! server itself says whether it writes.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Statement};

use super::bind;
use super::fault::{Again, Failure, translate};
use crate::error::Error;
use crate::row::Row;
use crate::sql::Sql;
use crate::value::ValueRef;

/// More texts than this are not a program's statements but a mistake; start over.
const MOST: usize = 1000;

pub(crate) struct Session {
    client: Client,
    /// Reads from and writes to the socket; ends when the connection does.
    driver: JoinHandle<()>,
    known: RefCell<HashMap<Box<str>, Known>>,
    /// The server or the network has ended it, whether or not the driver has noticed yet.
    lost: Cell<bool>,
}

#[derive(Clone)]
struct Known {
    statement: Statement,
    /// It has once run in a read-only transaction.
    only_reads: bool,
}

impl Session {
    pub(crate) fn new(client: Client, driver: JoinHandle<()>) -> Self {
        Self {
            client,
            driver,
            known: RefCell::default(),
            lost: Cell::new(false),
        }
    }

    /// Says goodbye to the server, so that it does not take the end for a failure.
    pub(crate) async fn close(self) {
        let Self {
            client,
            driver,
            known: _,
            lost: _,
        } = self;
        drop(client);
        // A server that does not listen any more is not waited for.
        drop(tokio::time::timeout(Duration::from_secs(1), driver).await);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.lost.get() || self.client.is_closed()
    }

    pub(crate) async fn execute(&self, sql: &Sql, params: &[ValueRef<'_>]) -> Result<u64, Failure> {
        let known = self.prepare(sql, params).await?;
        let done = self.client.execute(&known.statement, &list(params)).await;
        done.map_err(|error| self.told(&error, sql))
    }

    pub(crate) async fn query(
        &self,
        sql: &Sql,
        params: &[ValueRef<'_>],
    ) -> Result<Vec<Row>, Failure> {
        let known = self.prepare(sql, params).await?;
        let rows = self.client.query(&known.statement, &list(params)).await;
        let rows = rows.map_err(|error| self.told(&error, sql))?;
        Ok(rows.iter().map(bind::row).collect::<Result<_, _>>()?)
    }

    /// Whether a query has already shown that it does not write.
    pub(crate) fn knows_to_read(&self, sql: &Sql) -> bool {
        self.known
            .borrow()
            .get(&**sql)
            .is_some_and(|known| known.only_reads)
    }

    /// A query that must not write, outside of a transaction.
    pub(crate) async fn look(
        &self,
        sql: &Sql,
        params: &[ValueRef<'_>],
    ) -> Result<Vec<Row>, Failure> {
        if self.prepare(sql, params).await?.only_reads {
            return self.query(sql, params).await;
        }
        self.command("BEGIN READ ONLY").await?;
        let rows = self.query(sql, params).await;
        self.command("ROLLBACK").await?;
        if rows.is_ok()
            && let Some(known) = self.known.borrow_mut().get_mut(&**sql)
        {
            known.only_reads = true;
        }
        rows
    }

    /// Several statements without parameters.
    pub(crate) async fn batch(&self, sql: &Sql) -> Result<(), Failure> {
        self.client
            .batch_execute(sql)
            .await
            .map_err(|error| self.told(&error, sql))
    }

    /// A statement of our own, such as `COMMIT`.
    pub(crate) async fn command(&self, sql: &'static str) -> Result<(), Failure> {
        self.batch(&Sql::Static(sql)).await
    }

    /// Any other use of the connection, by the combiner.
    pub(crate) async fn query_raw(
        &self,
        sql: &Sql,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Failure> {
        let known = self.known(sql).await?;
        let rows = self.client.query(&known.statement, params).await;
        let rows = rows.map_err(|error| self.told(&error, sql))?;
        Ok(rows.iter().map(bind::row).collect::<Result<_, _>>()?)
    }

    async fn prepare(&self, sql: &Sql, params: &[ValueRef<'_>]) -> Result<Known, Failure> {
        let known = self.known(sql).await?;
        let wanted = known.statement.params().len();
        if wanted != params.len() {
            let what = format!("it has {wanted} parameters, {} given", params.len());
            return Err(Error::statement(sql, what).into());
        }
        Ok(known)
    }

    async fn known(&self, sql: &Sql) -> Result<Known, Failure> {
        if let Some(known) = self.known.borrow().get(&**sql) {
            return Ok(known.clone());
        }
        let statement = self
            .client
            .prepare(sql)
            .await
            .map_err(|error| self.told(&error, sql))?;
        let known = Known {
            statement,
            only_reads: false,
        };
        let mut all = self.known.borrow_mut();
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(Box::from(&**sql), known.clone());
        Ok(known)
    }

    fn told(&self, error: &tokio_postgres::Error, sql: &Sql) -> Failure {
        let failure = translate(error, sql);
        match failure.again {
            Some(Again::Lost) => self.lost.set(true),
            Some(Again::Stale) => self.known.borrow_mut().clear(),
            Some(Again::Conflict) | None => {}
        }
        failure
    }
}

fn list<'p>(params: &'p [ValueRef<'_>]) -> Vec<&'p (dyn ToSql + Sync)> {
    params.iter().map(|param| param as _).collect()
}
