//! The table of grants: who may refer to a shared instance beside its own tenant. The deeds on grants and references
//! call it.
//!
//! The rule: whoever changes what may refer to an instance, or refers to it, takes hold of its row first. So of two
//! who do that at the same time one sees what the other did.

use crate::cells::{Cells, json};
use crate::sql::elements;
use crate::{Error, Tx};
use qm_model::Time;
use qm_model::id::{InstanceId, PlatformId, ShareId};
use qm_model::share::Share;
use std::sync::Arc;

const COLUMNS: &str = "id, service_instance_id, tenant, platform_id, granted_by, created_at";

/// Takes hold of an instance's row until the transaction ends. False: it is gone.
///
/// Writing is what makes PostgreSQL see the conflict: of two transactions that only lock the row the later one would
/// go on with what it saw before.
///
/// # Errors
/// The database's.
pub async fn hold(tx: &Tx<'_>, id: &InstanceId) -> Result<bool, Error> {
    let held = tx
        .execute(
            "UPDATE instance SET shared = shared WHERE id = $1",
            &[&id.as_str()],
        )
        .await?;
    Ok(held > 0)
}

/// Stores whether others may refer to an instance. False: it is gone.
///
/// # Errors
/// The database's.
pub async fn set(tx: &Tx<'_>, id: &InstanceId, shared: bool, now: Time) -> Result<bool, Error> {
    let changed = tx
        .execute(
            "UPDATE instance SET shared = $2, updated_at = $3 WHERE id = $1",
            &[&id.as_str(), &shared, &now.millis()],
        )
        .await?;
    Ok(changed > 0)
}

/// Stores a grant. False: there is one for the same instance and the same grantee.
///
/// # Errors
/// The database's; a foreign key when there is no such instance or platform.
pub async fn insert(tx: &Tx<'_>, share: &Share) -> Result<bool, Error> {
    let Share {
        id,
        instance_id,
        tenant,
        platform_id,
        granted_by,
        created_at,
    } = share;
    let stored = tx
        .execute(
            "INSERT INTO share (id, service_instance_id, tenant, platform_id, granted_by, created_at)
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
            &[
                &id.as_str(),
                &instance_id.as_str(),
                tenant,
                &platform_id.as_ref().map(PlatformId::as_str),
                granted_by,
                &created_at.millis(),
            ],
        )
        .await?;
    Ok(stored > 0)
}

/// All of an instance, oldest first.
///
/// # Errors
/// The database's.
pub async fn of_instance(tx: &Tx<'_>, instance: &InstanceId) -> Result<Vec<Share>, Error> {
    of_instances(tx, std::slice::from_ref(instance)).await
}

/// All of several instances, oldest first.
///
/// # Errors
/// The database's.
pub async fn of_instances(tx: &Tx<'_>, instances: &[InstanceId]) -> Result<Vec<Share>, Error> {
    let ids: Vec<&str> = instances.iter().map(InstanceId::as_str).collect();
    let text = format!(
        "SELECT {COLUMNS} FROM share WHERE service_instance_id IN ({}) ORDER BY seq",
        elements(tx.dialect(), "$1")
    );
    let rows = tx.query(Arc::<str>::from(text), &[&json(&ids)?]).await?;
    rows.into_iter().map(read).collect()
}

/// Takes a grant back. False: there is none.
///
/// # Errors
/// The database's.
pub async fn delete(tx: &Tx<'_>, id: &ShareId) -> Result<bool, Error> {
    let gone = tx
        .execute("DELETE FROM share WHERE id = $1", &[&id.as_str()])
        .await?;
    Ok(gone > 0)
}

fn read(row: qm_db::Row) -> Result<Share, Error> {
    let mut cells = Cells::new("share", row);
    Ok(Share {
        id: ShareId::stored(cells.text("id")?),
        instance_id: InstanceId::stored(cells.text("service_instance_id")?),
        tenant: cells.text_opt("tenant")?,
        platform_id: cells.text_opt("platform_id")?.map(PlatformId::stored),
        granted_by: cells.text("granted_by")?,
        created_at: cells.time("created_at")?,
    })
}
