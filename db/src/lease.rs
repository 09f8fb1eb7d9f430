//! Work rows that one worker at a time holds. Queues and operation engines stand on it.
//!
//! The table is the caller's. By convention it has `lease_owner TEXT`, `lease_until BIGINT`,
//! `fence BIGINT NOT NULL DEFAULT 0` and `due_at BIGINT NOT NULL`; times are milliseconds and are
//! handed in, so that a test can say what time it is.
//!
//! The rule that keeps it right: every claim raises the row's fence, and whoever writes under a
//! lease names the fence it got. A worker that lost its lease while it slept has an old number, so
//! whatever it still tries is refused: the lease only saves work, the fence keeps it right.

use std::sync::Arc;

use crate::dialect::Dialect;
use crate::error::Error;
use crate::handle::Db;
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::value::{Param, Value};

/// What the caller's table looks like.
#[derive(Debug, Clone, Copy)]
pub struct Work {
    /// The table.
    pub table: &'static str,
    /// The columns of its primary key.
    pub key: &'static [&'static str],
    /// Which rows are work at all, for instance `state <> 'done'`.
    pub ready: &'static str,
    /// Further columns that a claim brings along.
    pub columns: &'static [&'static str],
}

/// The statements for one table on one engine, put together once.
#[derive(Debug, Clone)]
pub struct Leases {
    width: usize,
    claim: Sql,
    take: Sql,
    renew: Sql,
    hold: Sql,
    release: Sql,
}

/// A row that is held.
#[derive(Debug, Clone)]
pub struct Lease {
    /// The row's key.
    pub key: Vec<Value>,
    /// The number that every write under this lease names.
    pub fence: i64,
    /// Who holds it.
    pub owner: String,
    /// The further columns.
    pub row: Row,
}

impl Leases {
    /// Puts the statements together.
    #[must_use]
    pub fn new(dialect: Dialect, work: Work) -> Self {
        let Work {
            table,
            key,
            ready,
            columns,
        } = work;
        let keys = key.join(", ");
        // Parameters of the key come after these many others.
        let same = |before: usize| {
            let pairs = key
                .iter()
                .enumerate()
                .map(|(n, key)| format!("{key} = ${}", before + n + 1));
            pairs.collect::<Vec<_>>().join(" AND ")
        };
        let free = "(lease_owner IS NULL OR lease_until IS NULL OR lease_until <= $3)";
        // PostgreSQL has two tables in play and wants to know which; SQLite refuses the question.
        let of = match dialect {
            Dialect::Sqlite => "",
            Dialect::Postgres => "work.",
        };
        let returned = key.iter().chain(&["fence"]).chain(columns);
        let returned = returned
            .map(|column| format!("{of}{column}"))
            .collect::<Vec<_>>()
            .join(", ");
        let set = format!("lease_owner = $1, lease_until = $2, fence = {of}fence + 1");
        let due = format!(
            "SELECT {keys} FROM {table} WHERE ({ready}) AND due_at <= $3 AND {free}
             ORDER BY due_at LIMIT $4{}",
            dialect.skip_locked()
        );
        let claim = match dialect {
            Dialect::Sqlite => {
                format!("UPDATE {table} SET {set} WHERE ({keys}) IN ({due}) RETURNING {returned}")
            }
            // Materialized, or the planner may look again after it has locked.
            Dialect::Postgres => {
                let joined = key.iter().map(|key| format!("work.{key} = due.{key}"));
                format!(
                    "WITH due AS MATERIALIZED ({due}) UPDATE {table} AS work SET {set}
                     FROM due WHERE {} RETURNING {returned}",
                    joined.collect::<Vec<_>>().join(" AND ")
                )
            }
        };
        let take = format!(
            "UPDATE {table} AS work SET {set} WHERE {} AND ({ready}) AND {free} RETURNING {returned}",
            same(3)
        );
        let mine = format!("WHERE fence = $1 AND lease_owner = $2 AND {}", same(2));
        let hold = format!("UPDATE {table} SET fence = fence {mine}");
        let mine = format!("WHERE fence = $2 AND lease_owner = $3 AND {}", same(3));
        let renew = format!("UPDATE {table} SET lease_until = $1 {mine}");
        let release = format!(
            "UPDATE {table} SET lease_owner = NULL, lease_until = NULL, due_at = COALESCE($1, due_at) {mine}"
        );
        Self {
            width: key.len(),
            claim: shared(claim),
            take: shared(take),
            renew: shared(renew),
            hold: shared(hold),
            release: shared(release),
        }
    }

    /// Claims up to `most` rows that are due and that nobody holds, or whose lease has run out.
    ///
    /// # Errors
    /// The engine's.
    pub async fn claim(
        &self,
        db: &Db,
        owner: &str,
        now_ms: i64,
        until_ms: i64,
        most: u32,
    ) -> Result<Vec<Lease>, Error> {
        let params = vec![owner.into(), until_ms.into(), now_ms.into(), most.into()];
        let rows = db.write_returning(&self.claim, params).await?;
        rows.into_iter().map(|row| self.lease(row, owner)).collect()
    }

    /// Claims one row by its key, due or not. `None`: there is no such work, or another holds it.
    ///
    /// # Errors
    /// The engine's.
    pub async fn take(
        &self,
        db: &Db,
        key: &[Value],
        owner: &str,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<Option<Lease>, Error> {
        let mut params: Vec<Value> = vec![owner.into(), until_ms.into(), now_ms.into()];
        params.extend_from_slice(key);
        let rows = db.write_returning(&self.take, params).await?;
        rows.into_iter()
            .next()
            .map(|row| self.lease(row, owner))
            .transpose()
    }

    /// Keeps a row for longer.
    ///
    /// # Errors
    /// [`Error::Fenced`] when another has claimed it since.
    pub async fn renew(&self, db: &Db, lease: &Lease, until_ms: i64) -> Result<(), Error> {
        let params = with_key(until_ms.into(), lease);
        still(db.execute(&self.renew, params).await?)
    }

    /// Gives a row back. `due_ms` says when it is due again; without it that stays as it is.
    ///
    /// # Errors
    /// [`Error::Fenced`] when another has claimed it since.
    pub async fn release(&self, db: &Db, lease: &Lease, due_ms: Option<i64>) -> Result<(), Error> {
        let params = with_key(due_ms.into(), lease);
        still(db.execute(&self.release, params).await?)
    }

    /// The same as part of a transaction: what was done and the end of the lease in one.
    ///
    /// # Errors
    /// [`Error::Fenced`] when another has claimed it since; return it, and nothing is done.
    pub async fn release_in(
        &self,
        tx: &Tx<'_>,
        lease: &Lease,
        due_ms: Option<i64>,
    ) -> Result<(), Error> {
        let params = with_key(due_ms.into(), lease);
        still(tx.execute(&self.release, &list(&params)).await?)
    }

    /// Makes sure, as part of a transaction, that the row is still held, and that nobody can claim
    /// it before the transaction ends. The first statement of every write under a lease.
    ///
    /// # Errors
    /// [`Error::Fenced`] when another has claimed it since; return it, and nothing is done.
    pub async fn hold_in(&self, tx: &Tx<'_>, lease: &Lease) -> Result<(), Error> {
        let Lease {
            key,
            fence,
            owner,
            row: _,
        } = lease;
        let mut params: Vec<&dyn Param> = vec![fence, owner];
        params.extend(key.iter().map(|value| value as &dyn Param));
        still(tx.execute(&self.hold, &params).await?)
    }

    fn lease(&self, row: Row, owner: &str) -> Result<Lease, Error> {
        let fence = row.get(self.width)?;
        let mut key = row.into_values();
        let further = key.split_off(self.width + 1);
        key.truncate(self.width);
        Ok(Lease {
            key,
            fence,
            owner: owner.to_owned(),
            row: Row::new(further),
        })
    }
}

fn with_key(first: Value, lease: &Lease) -> Vec<Value> {
    let Lease {
        key,
        fence,
        owner,
        row: _,
    } = lease;
    let mut params = vec![first, (*fence).into(), owner.into()];
    params.extend_from_slice(key);
    params
}

fn list(params: &[Value]) -> Vec<&dyn Param> {
    params.iter().map(|value| value as _).collect()
}

fn still(rows: u64) -> Result<(), Error> {
    if rows == 0 {
        Err(Error::Fenced)
    } else {
        Ok(())
    }
}

fn shared(sql: String) -> Sql {
    Sql::Shared(Arc::from(sql))
}
