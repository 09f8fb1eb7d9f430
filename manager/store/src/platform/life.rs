//! Signs of life on the notification stream, and who is told of changes.

use crate::resource;
use crate::{Error, Tx};
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
