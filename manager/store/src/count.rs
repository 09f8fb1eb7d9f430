//! How many match: the `num_items` of lists.
//!
//! The rule: a page never counts a whole table. Up to [`BOUND`] the number is exact; above it the number of
//! all rows is kept (SQLite, but for operations) or estimated, and of a filtered list it is said that there are at least
//! so many. Who wants it exactly asks for nothing else (`max_items=0`).

use crate::sql::{Select, Shape};
use crate::{Error, Tx};
use qm_db::Dialect;
use qm_model::page::Total;
use qm_model::{Kind, Query};
use qm_policy::Scope;

/// Counting stops here.
const BOUND: u64 = 1_000;

/// Counted to the end.
pub(crate) async fn exact(
    tx: &Tx<'_>,
    kind: Kind,
    scope: &Scope,
    query: &Query,
) -> Result<u64, Error> {
    count(
        tx,
        Select::new(tx.dialect(), kind, scope, query).count(None),
    )
    .await
}

/// As well as it can be known cheaply.
pub(crate) async fn total(
    tx: &Tx<'_>,
    kind: Kind,
    scope: &Scope,
    query: &Query,
) -> Result<Total, Error> {
    let everything = query.is_empty() && *scope == Scope::All;
    if everything && tx.dialect() == Dialect::Sqlite && kind != Kind::Operation {
        return Ok(Total::Exact(kept(tx, kind).await?));
    }
    let most = i64::try_from(BOUND + 1).unwrap_or(i64::MAX);
    let select = Select::new(tx.dialect(), kind, scope, query);
    let counted = count(tx, select.count(Some(most))).await?;
    if counted <= BOUND {
        return Ok(Total::Exact(counted));
    }
    if everything {
        let estimate = match tx.dialect() {
            Dialect::Sqlite => spanned(tx).await?,
            // Minus one: the table was never looked at.
            Dialect::Postgres => estimated(tx, kind).await?,
        };
        if estimate > BOUND {
            return Ok(Total::Estimate(estimate));
        }
    }
    Ok(Total::AtLeast(BOUND))
}

/// There is one more. Called where instances and bindings are made, which on SQLite no trigger does: for a statement with
/// a trigger it copies every page that it changes.
pub(crate) async fn more(tx: &Tx<'_>, kind: Kind) -> Result<(), Error> {
    if tx.dialect() == Dialect::Sqlite {
        let text = "UPDATE total SET n = n + 1 WHERE kind = $1";
        tx.execute(text, &[&kind.noun()]).await?;
    }
    Ok(())
}

async fn count(tx: &Tx<'_>, shape: Shape) -> Result<u64, Error> {
    let Shape { text, binds } = shape;
    let row = tx.query_opt(text, &binds.params()).await?;
    match row {
        Some(row) => Ok(row.get(0)?),
        None => Ok(0),
    }
}

/// SQLite: triggers keep the number of rows. Technical platforms are not shown, so they are taken off.
async fn kept(tx: &Tx<'_>, kind: Kind) -> Result<u64, Error> {
    let row = tx
        .query_opt("SELECT n FROM total WHERE kind = $1", &[&kind.noun()])
        .await?;
    let all: i64 = match row {
        Some(row) => row.get(0)?,
        None => 0,
    };
    Ok(u64::try_from(all - hidden(tx, kind).await?).unwrap_or(0))
}

/// SQLite: counting operations one by one would cost every deed a write. The oldest ones go first, so their numbers have
/// few gaps.
async fn spanned(tx: &Tx<'_>) -> Result<u64, Error> {
    let text = "SELECT (SELECT max(seq) FROM operation) - (SELECT min(seq) FROM operation) + 1";
    match tx.query_opt(text, &[]).await? {
        Some(row) => Ok(row.get::<Option<u64>>(0)?.unwrap_or(0)),
        None => Ok(0),
    }
}

/// PostgreSQL: what its own statistics say, as of the last look.
async fn estimated(tx: &Tx<'_>, kind: Kind) -> Result<u64, Error> {
    let row = tx
        .query_opt(
            "SELECT c.reltuples::bigint FROM pg_class c WHERE c.oid = to_regclass($1)",
            &[&kind.noun()],
        )
        .await?;
    let all: i64 = match row {
        Some(row) => row.get(0)?,
        None => 0,
    };
    Ok(u64::try_from(all - hidden(tx, kind).await?).unwrap_or(0))
}

async fn hidden(tx: &Tx<'_>, kind: Kind) -> Result<i64, Error> {
    let text = match kind {
        Kind::Platform => "SELECT count(*) FROM platform WHERE technical",
        Kind::Instance => {
            "SELECT count(*) FROM instance
             WHERE name_key IS NULL AND ready = FALSE AND platform_id = 'service-manager'"
        }
        Kind::Binding => {
            "SELECT count(*) FROM binding
             WHERE name_key IS NULL AND ready = FALSE AND platform_id = 'service-manager'"
        }
        _ => return Ok(0),
    };
    match tx.query_opt(text, &[]).await? {
        Some(row) => Ok(row.get(0)?),
        None => Ok(0),
    }
}
