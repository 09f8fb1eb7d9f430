//! Gives events their revisions.
//!
//! The rule: revisions are given to rows that are committed, in one transaction that changes the one row of
//! `outbox`; of two replicas that do it at once the second one starts over. So a reader that sees a revision
//! sees all below it. Where one writes at a time (SQLite) rows are numbered when they are written, and nothing is to do.

use super::position;
use crate::{Error, Store, Tx};
use qm_db::Dialect;

/// Rows that are numbered in one go.
const STEP: i64 = 1_000;

/// Numbers what is committed and has no revision yet. Gives the last revision; nothing when none was ever
/// given.
///
/// # Errors
/// The database's.
pub async fn sequence(store: &Store) -> Result<Option<i64>, Error> {
    if store.dialect() == Dialect::Sqlite {
        let position = store.look_up(async |tx: &Tx<'_>| position(tx).await);
        let last = position.await?.last;
        return Ok((last > 0).then_some(last));
    }
    loop {
        let look = "SELECT last, EXISTS (SELECT 1 FROM event WHERE revision IS NULL) FROM outbox WHERE id = 1";
        let rows = store.db.query(look, Vec::new()).await?;
        let Some(row) = rows.first() else {
            return Err(missing());
        };
        let (last, waiting): (i64, bool) = (row.get(0)?, row.get(1)?);
        if !waiting {
            return Ok((last > 0).then_some(last));
        }
        store
            .keep_house(async |tx: &Tx<'_>| number(tx).await)
            .await?;
    }
}

async fn number(tx: &Tx<'_>) -> Result<(), Error> {
    let row = tx
        .query_opt(
            "SELECT count(*) FROM (SELECT 1 FROM event WHERE revision IS NULL ORDER BY seq LIMIT $1) q",
            &[&STEP],
        )
        .await?;
    let waiting: i64 = match row {
        Some(row) => row.get(0)?,
        None => 0,
    };
    if waiting == 0 {
        return Ok(());
    }
    let last = advance(tx, waiting).await?;
    let numbered = tx
        .execute(
            "UPDATE event SET revision = n.revision FROM (
                SELECT seq, $1 + row_number() OVER (ORDER BY seq) AS revision FROM event
                WHERE revision IS NULL ORDER BY seq LIMIT $2) n
             WHERE event.seq = n.seq",
            &[&(last - waiting), &waiting],
        )
        .await?;
    // Both statements see the same state, so this cannot be; if it were, a gap would be worse than an error.
    if i64::try_from(numbered) != Ok(waiting) {
        return Err(missing());
    }
    Ok(())
}

async fn advance(tx: &Tx<'_>, by: i64) -> Result<i64, Error> {
    let row = tx
        .query_opt(
            "UPDATE outbox SET last = last + $1 WHERE id = 1 RETURNING last",
            &[&by],
        )
        .await?;
    match row {
        Some(row) => Ok(row.get(0)?),
        None => Err(missing()),
    }
}

fn missing() -> Error {
    Error::Form {
        table: "outbox",
        column: "last",
    }
}
