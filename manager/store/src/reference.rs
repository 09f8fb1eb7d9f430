//! Instances that refer to others, and those they refer to. The deeds on references and the catalogs call it.

use crate::resource;
use crate::sql::{self, Binds};
use crate::{Error, Tx, instance};
use qm_model::Kind;
use qm_model::id::{InstanceId, OfferingId, PlanId};
use qm_model::instance::Instance;
use qm_policy::share::Selectors;

/// Whether a reference was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It was.
    Stored,
    /// Its id is taken.
    IdTaken,
    /// Its name is taken.
    NameTaken,
}

/// Stores a reference, which is there at once. The fingerprint is of what it was asked for with, at a door; the key is
/// of its name, where that must be unique. Whoever gets anything but [`Kept::Stored`] must not commit.
///
/// # Errors
/// The database's; a foreign key when there is no such plan or platform.
pub async fn insert(
    tx: &Tx<'_>,
    reference: &Instance,
    fingerprint: Option<&[u8]>,
    name_key: Option<&str>,
) -> Result<Kept, Error> {
    if !instance::insert(tx, reference).await? {
        return Ok(Kept::IdTaken);
    }
    if let Some(key) = name_key
        && !instance::rename_key(tx, &reference.id, key).await?
    {
        return Ok(Kept::NameTaken);
    }
    if let Some(fingerprint) = fingerprint {
        tx.execute(
            "UPDATE instance SET fingerprint = $2 WHERE id = $1",
            &[&reference.id.as_str(), &fingerprint],
        )
        .await?;
    }
    Ok(Kept::Stored)
}

/// What refers to an instance, oldest first.
///
/// # Errors
/// The database's.
pub async fn of(tx: &Tx<'_>, id: &InstanceId) -> Result<Vec<Instance>, Error> {
    let condition = "t.referenced_instance_id = $1 ORDER BY t.seq";
    resource::by(tx, condition, &[&id.as_str()]).await
}

/// The ids of what refers to an instance, some of them.
///
/// # Errors
/// The database's.
pub async fn ids(tx: &Tx<'_>, id: &InstanceId, limit: u32) -> Result<Vec<InstanceId>, Error> {
    let rows = tx
        .query(
            "SELECT id FROM instance WHERE referenced_instance_id = $1 ORDER BY seq LIMIT $2",
            &[&id.as_str(), &limit],
        )
        .await?;
    rows.iter()
        .map(|row| Ok(InstanceId::stored(row.get(0)?)))
        .collect()
}

/// The ids of the shared instances of a plan, some of them.
///
/// # Errors
/// The database's.
pub async fn shared_of(tx: &Tx<'_>, plan: &PlanId, limit: u32) -> Result<Vec<InstanceId>, Error> {
    let rows = tx
        .query(
            "SELECT id FROM instance WHERE service_plan_id = $1 AND shared ORDER BY seq LIMIT $2",
            &[&plan.as_str(), &limit],
        )
        .await?;
    rows.iter()
        .map(|row| Ok(InstanceId::stored(row.get(0)?)))
        .collect()
}

/// The shared instances of an offering that are like this, whoever may refer to them, oldest first.
///
/// # Errors
/// The database's.
pub async fn like(
    tx: &Tx<'_>,
    offering: &OfferingId,
    selectors: &Selectors,
) -> Result<Vec<Instance>, Error> {
    let Selectors { name, plan, labels } = selectors;
    let mut binds = Binds::new(tx.dialect());
    let offering = binds.bind(offering.as_str());
    let plan = plan.as_deref().map_or_else(String::new, |plan| {
        format!(" AND p.catalog_name = {}", binds.bind(plan))
    });
    let mut condition = format!(
        "t.shared AND t.ready AND t.service_plan_id IN (SELECT p.id FROM plan p \
         WHERE p.service_offering_id = {offering}{plan})"
    );
    if let Some(name) = name {
        condition.push_str(&format!(" AND t.name = {}", binds.bind(name.as_str())));
    }
    for label in labels {
        condition.push_str(" AND ");
        condition.push_str(&sql::label(&mut binds, Kind::Instance, label));
    }
    condition.push_str(" ORDER BY t.seq");
    resource::by(tx, &condition, &binds.params()).await
}
