//! Seals anew what was sealed with an older key, while everything runs. `quartermaster keys rotate` calls it.
//!
//! The rule: a value is sealed for its table, row and column, and is replaced only if it is still the one
//! that was opened; whoever wrote a newer one meanwhile used the new key anyway.

use crate::{Error, Store, Tx};
use std::sync::Arc;

/// A column that holds sealed values, and the column of the id they are sealed for.
struct Sealed {
    table: &'static str,
    id: &'static str,
    column: &'static str,
}

const SEALED: [Sealed; 12] = [
    sealed("fact", "name", "value"),
    sealed("broker", "id", "access"),
    sealed("offering", "id", "raw"),
    sealed("credential", "id", "password_hash"),
    sealed("credential", "id", "old_password_hash"),
    sealed("instance", "id", "parameters"),
    sealed("instance", "id", "wanted"),
    sealed("binding", "id", "credentials"),
    sealed("binding", "id", "parameters"),
    sealed("operation", "id", "work"),
    sealed("operation", "id", "said"),
    sealed("signing_key", "id", "private"),
];

const fn sealed(table: &'static str, id: &'static str, column: &'static str) -> Sealed {
    Sealed { table, id, column }
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resealed {
    /// Values sealed anew now.
    pub done: u64,
    /// Values that are still sealed with an older key.
    pub left: u64,
}

/// Seals up to `limit` values anew with the first of the keys in use.
///
/// # Errors
/// The database's, or a key that is still needed is not among those in use.
pub async fn reseal(store: &Store, limit: u32) -> Result<Resealed, Error> {
    let beginning = beginning(store)?;
    store
        .keep_house(async move |tx: &Tx<'_>| {
            let mut resealed = Resealed { done: 0, left: 0 };
            for sealed in &SEALED {
                let room = u64::from(limit).saturating_sub(resealed.done);
                let room = u32::try_from(room).unwrap_or(u32::MAX);
                resealed.done += column(tx, sealed, &beginning, room).await?;
                resealed.left += left(tx, sealed, &beginning).await?;
            }
            Ok(resealed)
        })
        .await
}

/// How a value begins that is sealed with the key that seals now: format, length of the key's id, the id.
fn beginning(store: &Store) -> Result<Vec<u8>, Error> {
    let mut sample = store.keys().seal(&[], b"")?;
    let length = sample.get(1).copied().map_or(0, usize::from);
    sample.truncate(2 + length);
    Ok(sample)
}

async fn column(tx: &Tx<'_>, sealed: &Sealed, beginning: &[u8], limit: u32) -> Result<u64, Error> {
    if limit == 0 {
        return Ok(0);
    }
    let Sealed { table, id, column } = sealed;
    let text = format!(
        "SELECT {id}, {column} FROM {table} WHERE {} LIMIT $3",
        older(column)
    );
    let length = i64::try_from(beginning.len()).unwrap_or(i64::MAX);
    let rows = tx
        .query(Arc::<str>::from(text), &[&beginning, &length, &limit])
        .await?;
    let text: Arc<str> = Arc::from(format!(
        "UPDATE {table} SET {column} = $1 WHERE {id} = $2 AND {column} = $3"
    ));
    let mut done = 0;
    for row in rows {
        let name: String = row.get(0)?;
        let old: Vec<u8> = row.get(1)?;
        let place = [*table, name.as_str(), *column];
        let new = tx.seal(&place, &tx.open(&place, &old)?)?;
        done += tx.execute(Arc::clone(&text), &[&new, &name, &old]).await?;
    }
    Ok(done)
}

async fn left(tx: &Tx<'_>, sealed: &Sealed, beginning: &[u8]) -> Result<u64, Error> {
    let Sealed {
        table,
        id: _,
        column,
    } = sealed;
    let text = format!("SELECT count(*) FROM {table} WHERE {}", older(column));
    let length = i64::try_from(beginning.len()).unwrap_or(i64::MAX);
    let row = tx
        .query_opt(Arc::<str>::from(text), &[&beginning, &length])
        .await?;
    match row {
        Some(row) => Ok(row.get(0)?),
        None => Ok(0),
    }
}

fn older(column: &str) -> String {
    format!("{column} IS NOT NULL AND substr({column}, 1, $2) <> $1")
}
