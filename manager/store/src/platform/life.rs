//! Signs of life on the notification stream, and who is told of changes.

use crate::resource;
use crate::{Error, Store, Tx};
use qm_model::Time;
use qm_model::id::PlatformId;
use qm_model::platform::Platform;

/// A platform came, pinged or left. Its agent's version stays when it says none.
///
/// # Errors
/// The database's.
pub async fn set_active(
    tx: &Tx<'_>,
    id: &PlatformId,
    active: bool,
    at: Time,
    version: Option<&str>,
) -> Result<(), Error> {
    tx.execute(
        "UPDATE platform SET active = $2, last_active = $3, version = COALESCE($4, version) WHERE id = $1",
        &[&id.as_str(), &active, &at.millis(), &version],
    )
    .await
    .map(drop)
}

/// Platforms that were noted as connected, but not since `before`, are no longer so. Says how many.
///
/// # Errors
/// The database's.
pub async fn expire_active(store: &Store, before: Time) -> Result<u64, Error> {
    let sql = "UPDATE platform SET active = FALSE WHERE active AND last_active < $1";
    Ok(store.db.execute(sql, vec![before.millis().into()]).await?)
}

/// The platforms that can be told of changes: ready, not technical, not the manager itself.
///
/// # Errors
/// The database's.
pub async fn receivers(tx: &Tx<'_>) -> Result<Vec<Platform>, Error> {
    resource::by(
        tx,
        "t.ready AND NOT t.technical AND t.id <> $1 ORDER BY t.seq",
        &[&PlatformId::manager().as_str()],
    )
    .await
}
