//! What platforms log in with: a current pair and, until that is used, the one before.
//!
//! The rule: a password is here only as the hash of random bytes. The old pair lives until the platform has
//! shown that it uses the new one, and a pair that was never used is replaced without becoming the old one.

use crate::cells::Cells;
use crate::resource::{Table, columns};
use crate::{Error, Touched, Tx};
use qm_model::id::PlatformId;
use qm_model::platform::Platform;
use std::sync::Arc;

/// A pair as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secrets {
    /// The user.
    pub username: String,
    /// SHA-256 of the password.
    pub hash: [u8; 32],
}

/// What a typed password is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// Whether the user is that of the current pair, not of the one before.
    pub current: bool,
    /// Whether the current pair has been activated.
    pub active: bool,
    /// SHA-256 of the password of that pair.
    pub hash: [u8; 32],
}

/// The platform that this user belongs to, and the hash to compare with.
///
/// # Errors
/// The database's.
pub async fn by_username(tx: &Tx<'_>, username: &str) -> Result<Option<(Platform, Stored)>, Error> {
    let text = format!(
        "SELECT t.username = $1, t.credentials_active,
                CASE WHEN t.username = $1 THEN t.password ELSE t.old_password END, {}
         FROM platform t WHERE t.username = $1 OR t.old_username = $1",
        columns::<Platform>()
    );
    let row = tx.query_opt(Arc::<str>::from(text), &[&username]).await?;
    let Some(row) = row else { return Ok(None) };
    let mut cells = Cells::new("platform", row);
    let current: Option<bool> = cells.take("username")?;
    let active = cells.take("credentials_active")?;
    let hash: Vec<u8> = cells.take("password")?;
    let hash = hash.try_into().map_err(|_| Error::Form {
        table: "platform",
        column: "password",
    })?;
    let stored = Stored {
        current: current.unwrap_or(false),
        active,
        hash,
    };
    Ok(Some((Platform::read(&mut cells)?, stored)))
}

/// Gives a platform a new pair. The current one stays valid beside it if it has been used. False: the
/// platform is gone.
///
/// # Errors
/// The database's.
pub async fn rotate(tx: &Tx<'_>, id: &PlatformId, secrets: &Secrets) -> Result<bool, Error> {
    let Secrets { username, hash } = secrets;
    let changed = tx
        .execute(
            "UPDATE platform SET
                old_username = CASE WHEN credentials_active THEN username ELSE old_username END,
                old_password = CASE WHEN credentials_active THEN password ELSE old_password END,
                username = $2, password = $3, credentials_active = FALSE
             WHERE id = $1",
            &[&id.as_str(), username, hash],
        )
        .await?;
    tx.touch(Touched::Platform(id.clone()));
    Ok(changed > 0)
}

/// The platform uses the pair with this user: if that is the current one, the old one is erased. False: that was
/// known, or it is another pair.
///
/// # Errors
/// The database's.
pub async fn activate(tx: &Tx<'_>, id: &PlatformId, username: &str) -> Result<bool, Error> {
    let changed = tx
        .execute(
            "UPDATE platform SET credentials_active = TRUE, old_username = NULL, old_password = NULL
             WHERE id = $1 AND username = $2 AND NOT credentials_active",
            &[&id.as_str(), &username],
        )
        .await?;
    if changed > 0 {
        tx.touch(Touched::Platform(id.clone()));
    }
    Ok(changed > 0)
}
