//! What the built-in issuer signs with, shared by all replicas. The keyring of identity calls it.
//!
//! The rule: at most one key is not retired. Whoever adds one reads [`current`] in the same transaction, and
//! [`insert`] retires the others; transactions are serializable, so two replicas cannot both win.

use crate::{Error, Tx};
use qm_db::Row;
use qm_model::{Secret, Time};

/// A key with its secret half.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningKey {
    /// The key id in tokens.
    pub id: String,
    /// PKCS#8; sealed in the table.
    pub private: Secret<Vec<u8>>,
    /// A JWK as JSON text.
    pub public: String,
    /// When it was made.
    pub created_at: Time,
    /// When it stopped signing; it still verifies.
    pub retired_at: Option<Time>,
}

/// Adds a key and retires all others as of its making.
///
/// # Errors
/// The database's.
pub async fn insert(tx: &Tx<'_>, key: &SigningKey) -> Result<(), Error> {
    let SigningKey {
        id,
        private,
        public,
        created_at,
        retired_at,
    } = key;
    let sealed = tx.seal(&place(id), private.expose())?;
    tx.execute(
        "UPDATE signing_key SET retired_at = $1 WHERE retired_at IS NULL",
        &[&created_at.millis()],
    )
    .await?;
    tx.execute(
        "INSERT INTO signing_key (id, private, public, created_at, retired_at) VALUES ($1, $2, $3, $4, $5)",
        &[
            id,
            &sealed,
            public,
            &created_at.millis(),
            &retired_at.map(Time::millis),
        ],
    )
    .await?;
    Ok(())
}

/// The key that signs.
///
/// # Errors
/// The database's, or the key cannot be opened.
pub async fn current(tx: &Tx<'_>) -> Result<Option<SigningKey>, Error> {
    let row = tx
        .query_opt(
            "SELECT id, private, public, created_at, retired_at FROM signing_key
             WHERE retired_at IS NULL ORDER BY created_at DESC, id LIMIT 1",
            &[],
        )
        .await?;
    row.map(|row| read(tx, &row)).transpose()
}

/// Every key that is kept, the newest first.
///
/// # Errors
/// The database's, or a key cannot be opened.
pub async fn all(tx: &Tx<'_>) -> Result<Vec<SigningKey>, Error> {
    tx.query(
        "SELECT id, private, public, created_at, retired_at FROM signing_key ORDER BY created_at DESC, id",
        &[],
    )
    .await?
    .iter()
    .map(|row| read(tx, row))
    .collect()
}

/// Removes keys that stopped signing before then.
///
/// # Errors
/// The database's.
pub async fn forget(tx: &Tx<'_>, retired_before: Time) -> Result<u64, Error> {
    tx.execute(
        "DELETE FROM signing_key WHERE retired_at < $1",
        &[&retired_before.millis()],
    )
    .await
}

fn read(tx: &Tx<'_>, row: &Row) -> Result<SigningKey, Error> {
    let id: String = row.get(0)?;
    let sealed: Vec<u8> = row.get(1)?;
    let private = tx.open(&place(&id), &sealed)?;
    Ok(SigningKey {
        private: Secret::new(private),
        public: row.get(2)?,
        created_at: Time(row.get(3)?),
        retired_at: row.get::<Option<i64>>(4)?.map(Time),
        id,
    })
}

fn place(id: &str) -> [&str; 3] {
    ["signing_key", id, "private"]
}
