//! The table of broker-platform credentials. The deeds on them and the OSB door's login call it.
//!
//! The rule: a hash is sealed for its row, and a pair's user is unique at its broker.

use crate::cells::Cells;
use crate::{Error, Touched, Tx};
use qm_db::Param;
use qm_model::Secret;
use qm_model::credential::{Credential, Pair};
use qm_model::id::{BrokerId, CredentialId, EventId, PlatformId};
use std::sync::Arc;

const COLUMNS: &str = "id, broker_id, platform_id, username, password_hash, old_username, old_password_hash, \
    notification_id, active, created_at, updated_at";

/// One by its id.
///
/// # Errors
/// The database's, or the keys do not fit.
pub async fn get(tx: &Tx<'_>, id: &CredentialId) -> Result<Option<Credential>, Error> {
    one(tx, "id = $1", &[&id.as_str()]).await
}

/// That of a platform for a broker.
///
/// # Errors
/// The database's, or the keys do not fit.
pub async fn of(
    tx: &Tx<'_>,
    platform: &PlatformId,
    broker: &BrokerId,
) -> Result<Option<Credential>, Error> {
    let condition = "platform_id = $1 AND broker_id = $2";
    one(tx, condition, &[&platform.as_str(), &broker.as_str()]).await
}

/// Whose user this is at a broker, and whether it is that of the old pair.
///
/// # Errors
/// The database's, or the keys do not fit.
pub async fn by_username(
    tx: &Tx<'_>,
    broker: &BrokerId,
    username: &str,
) -> Result<Option<(Credential, bool)>, Error> {
    let params: &[&dyn Param] = &[&broker.as_str(), &username];
    if let Some(found) = one(tx, "broker_id = $1 AND username = $2", params).await? {
        return Ok(Some((found, false)));
    }
    let found = one(tx, "broker_id = $1 AND old_username = $2", params).await?;
    Ok(found.map(|found| (found, true)))
}

/// Stores one, new or changed; its id says which. False: another platform has this user at the broker, or
/// the platform has another one for it.
///
/// # Errors
/// The database's; a foreign key when there is no such broker or platform.
pub async fn put(tx: &Tx<'_>, credential: &Credential) -> Result<bool, Error> {
    let Credential {
        id,
        broker_id,
        platform_id,
        current,
        old,
        notification_id,
        active,
        created_at,
        updated_at,
    } = credential;
    let taken = tx
        .query_opt(
            "SELECT 1 FROM credential WHERE broker_id = $1 AND id <> $2 AND (username = $3 OR platform_id = $4)
             LIMIT 1",
            &[
                &broker_id.as_str(),
                &id.as_str(),
                &current.username,
                &platform_id.as_str(),
            ],
        )
        .await?;
    if taken.is_some() {
        return Ok(false);
    }
    let old_hash = match old {
        Some(old) => Some(seal(tx, id, OLD, old)?),
        None => None,
    };
    let written = tx
        .execute(
            "INSERT INTO credential (id, broker_id, platform_id, username, password_hash, old_username,
                old_password_hash, notification_id, active, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
             ON CONFLICT (id) DO UPDATE SET username = excluded.username, password_hash = excluded.password_hash,
                old_username = excluded.old_username, old_password_hash = excluded.old_password_hash,
                notification_id = excluded.notification_id, active = excluded.active,
                updated_at = excluded.updated_at
             WHERE credential.broker_id = excluded.broker_id AND credential.platform_id = excluded.platform_id",
            &[
                &id.as_str(),
                &broker_id.as_str(),
                &platform_id.as_str(),
                &current.username,
                &seal(tx, id, CURRENT, current)?,
                &old.as_ref().map(|old| old.username.as_str()),
                &old_hash,
                &notification_id.as_ref().map(EventId::as_str),
                active,
                &created_at.millis(),
                &updated_at.millis(),
            ],
        )
        .await?;
    tx.touch(Touched::Credential(id.clone()));
    Ok(written > 0)
}

/// Removes that of a platform for a broker. False: there was none.
///
/// # Errors
/// The database's.
pub async fn delete_of(
    tx: &Tx<'_>,
    platform: &PlatformId,
    broker: &BrokerId,
) -> Result<bool, Error> {
    let gone = tx
        .query(
            "DELETE FROM credential WHERE platform_id = $1 AND broker_id = $2 RETURNING id",
            &[&platform.as_str(), &broker.as_str()],
        )
        .await?;
    for row in &gone {
        tx.touch(Touched::Credential(CredentialId::stored(row.get(0)?)));
    }
    Ok(!gone.is_empty())
}

const CURRENT: &str = "password_hash";
const OLD: &str = "old_password_hash";

async fn one(
    tx: &Tx<'_>,
    condition: &'static str,
    params: &[&dyn Param],
) -> Result<Option<Credential>, Error> {
    let text = format!("SELECT {COLUMNS} FROM credential WHERE {condition}");
    let row = tx.query_opt(Arc::<str>::from(text), params).await?;
    row.map(|row| read(tx, &mut Cells::new("credential", row)))
        .transpose()
}

fn read(tx: &Tx<'_>, cells: &mut Cells) -> Result<Credential, Error> {
    let id = CredentialId::stored(cells.text("id")?);
    let broker_id = BrokerId::stored(cells.text("broker_id")?);
    let platform_id = PlatformId::stored(cells.text("platform_id")?);
    let current = Pair {
        username: cells.text("username")?,
        password_hash: open(tx, &id, CURRENT, &cells.take::<Vec<u8>>(CURRENT)?)?,
    };
    let old_username = cells.text_opt("old_username")?;
    let old_hash: Option<Vec<u8>> = cells.take(OLD)?;
    let old = match (old_username, old_hash) {
        (Some(username), Some(hash)) => Some(Pair {
            username,
            password_hash: open(tx, &id, OLD, &hash)?,
        }),
        _ => None,
    };
    Ok(Credential {
        id,
        broker_id,
        platform_id,
        current,
        old,
        notification_id: cells.text_opt("notification_id")?.map(EventId::stored),
        active: cells.take("active")?,
        created_at: cells.time("created_at")?,
        updated_at: cells.time("updated_at")?,
    })
}

fn seal(tx: &Tx<'_>, id: &CredentialId, column: &str, pair: &Pair) -> Result<Vec<u8>, Error> {
    let place = ["credential", id.as_str(), column];
    tx.seal(&place, pair.password_hash.expose().as_bytes())
}

fn open(
    tx: &Tx<'_>,
    id: &CredentialId,
    column: &'static str,
    sealed: &[u8],
) -> Result<Secret<String>, Error> {
    let plain = tx.open(&["credential", id.as_str(), column], sealed)?;
    String::from_utf8(plain)
        .map(Secret::new)
        .map_err(|_| Error::Form {
            table: "credential",
            column,
        })
}
