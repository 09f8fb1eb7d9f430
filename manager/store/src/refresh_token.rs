//! Refresh tokens of the built-in issuer, as their SHA-256. The token grant and the revoke deed call it.
//!
//! The rule: a token is used once. Used ones stay until they expire, so that a second use is seen; it means
//! that two hold the same token, and then the whole family goes.

use crate::{Error, Tx};
use qm_model::Time;
use qm_model::id::UserId;

/// A refresh token, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefreshToken {
    /// SHA-256 of what the user holds.
    pub hash: [u8; 32],
    /// Whose it is.
    pub user: UserId,
    /// Which client got it, and alone may use it; empty when the login named none.
    pub client: String,
    /// All tokens that came from one login.
    pub family: String,
    /// When it is worth nothing any more.
    pub expires_at: Time,
}

/// What came of using a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Used {
    /// It was good, and is used from here on.
    Now(RefreshToken),
    /// It had been used before.
    Before(RefreshToken),
    /// There is none such.
    Unknown,
}

/// Adds a token.
///
/// # Errors
/// The database's.
pub async fn insert(tx: &Tx<'_>, token: &RefreshToken, now: Time) -> Result<(), Error> {
    let RefreshToken {
        hash,
        user,
        client,
        family,
        expires_at,
    } = token;
    tx.execute(
        "INSERT INTO refresh_token (hash, person_id, client, family, used, expires_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &[
            hash,
            &user.as_str(),
            client,
            family,
            &false,
            &expires_at.millis(),
            &now.millis(),
        ],
    )
    .await?;
    Ok(())
}

/// Uses a token up. Whether it has expired, and whether its client asks, is for the caller to say.
///
/// # Errors
/// The database's.
pub async fn take(tx: &Tx<'_>, hash: &[u8; 32]) -> Result<Used, Error> {
    let Some(token) = get(tx, hash).await? else {
        return Ok(Used::Unknown);
    };
    let taken = tx
        .execute(
            "UPDATE refresh_token SET used = $2 WHERE hash = $1 AND used = $3",
            &[hash, &true, &false],
        )
        .await?;
    Ok(if taken == 1 {
        Used::Now(token)
    } else {
        Used::Before(token)
    })
}

/// The token with this hash, used or not.
///
/// # Errors
/// The database's.
pub async fn get(tx: &Tx<'_>, hash: &[u8; 32]) -> Result<Option<RefreshToken>, Error> {
    let row = tx
        .query_opt(
            "SELECT person_id, client, family, expires_at FROM refresh_token WHERE hash = $1",
            &[hash],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(RefreshToken {
        hash: *hash,
        user: UserId::stored(row.get(0)?),
        client: row.get(1)?,
        family: row.get(2)?,
        expires_at: Time(row.get(3)?),
    }))
}

/// Removes all tokens that came from one login.
///
/// # Errors
/// The database's.
pub async fn revoke_family(tx: &Tx<'_>, family: &str) -> Result<(), Error> {
    tx.execute("DELETE FROM refresh_token WHERE family = $1", &[&family])
        .await?;
    Ok(())
}

/// Removes all tokens of a user.
///
/// # Errors
/// The database's.
pub async fn revoke_all(tx: &Tx<'_>, user: &UserId) -> Result<(), Error> {
    tx.execute(
        "DELETE FROM refresh_token WHERE person_id = $1",
        &[&user.as_str()],
    )
    .await?;
    Ok(())
}

/// Removes what expired before then, so many at most, and says how many.
///
/// # Errors
/// The database's.
pub async fn expire(tx: &Tx<'_>, before: Time, limit: u32) -> Result<u64, Error> {
    tx.execute(
        "DELETE FROM refresh_token WHERE hash IN
         (SELECT hash FROM refresh_token WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)",
        &[&before.millis(), &limit],
    )
    .await
}
