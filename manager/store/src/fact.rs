//! Small sealed facts by name; the first of them tells whether the keys at hand are the right ones.
//!
//! The rule: a store is not opened with keys it was not sealed with. Otherwise new secrets would be written
//! with keys that the next start does not have.

use crate::{Error, Store, Tx};
use qm_db::seal::SealError;

/// The fact whose opening proves the keys.
const KEYS: &str = "keys";
const WORD: &[u8] = b"quartermaster";

/// A fact.
///
/// # Errors
/// The database's, or the keys do not fit.
pub async fn get(tx: &Tx<'_>, name: &str) -> Result<Option<Vec<u8>>, Error> {
    let row = tx
        .query_opt("SELECT value FROM fact WHERE name = $1", &[&name])
        .await?;
    let Some(row) = row else { return Ok(None) };
    let sealed: Vec<u8> = row.get(0)?;
    tx.open(&place(name), &sealed).map(Some)
}

/// Stores a fact, new or changed.
///
/// # Errors
/// The database's.
pub async fn put(tx: &Tx<'_>, name: &str, value: &[u8]) -> Result<(), Error> {
    tx.execute(
        "INSERT INTO fact (name, value) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        &[&name, &tx.seal(&place(name), value)?],
    )
    .await
    .map(drop)
}

/// Opens what the first start has sealed, or seals it if this is the first.
pub(crate) async fn try_keys(store: &Store) -> Result<(), Error> {
    let found = store.read(async |tx: &Tx<'_>| get(tx, KEYS).await).await;
    let found = match found {
        Ok(Some(word)) => Ok(word),
        // Two that start at once: the second one finds what the first has sealed.
        Ok(None) => {
            store
                .keep_house(async |tx: &Tx<'_>| match get(tx, KEYS).await? {
                    Some(word) => Ok(word),
                    None => put(tx, KEYS, WORD).await.map(|()| WORD.to_vec()),
                })
                .await
        }
        Err(error) => Err(error),
    };
    match found {
        Ok(word) if word == WORD => Ok(()),
        Ok(_)
        | Err(Error::Sealed(
            SealError::UnknownKey { .. } | SealError::Damaged | SealError::Malformed,
        )) => Err(Error::OtherKeys),
        Err(error) => Err(error),
    }
}

fn place(name: &str) -> [&str; 3] {
    ["fact", name, "value"]
}
