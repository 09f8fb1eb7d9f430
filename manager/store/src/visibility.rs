//! The table of visibilities. The deeds on visibilities and catalogs call it.
//!
//! The rule: one row for a plan and a platform, and one public row for a plan. That a public row excludes all
//! others is the deed's to see to, with [`of_plan`] in the same transaction.

use crate::cells::{Cells, json};
use crate::resource::{self, Resource, Table};
use crate::sql::elements;
use crate::{Error, Touched, Tx, label};
use qm_model::id::{BrokerId, PlanId, PlatformId, VisibilityId};
use qm_model::visibility::Visibility;
use qm_model::{Kind, Meta};

impl Resource for Visibility {
    const KIND: Kind = Kind::Visibility;

    fn id(&self) -> &str {
        self.id.as_str()
    }
}

impl Table for Visibility {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "platform_id",
        "service_plan_id",
        "ready",
        "labels",
        "created_at",
        "updated_at",
    ];

    fn read(cells: &mut Cells) -> Result<Self, Error> {
        Ok(Self {
            id: VisibilityId::stored(cells.text("id")?),
            platform_id: cells.text_opt("platform_id")?.map(PlatformId::stored),
            plan_id: PlanId::stored(cells.text("service_plan_id")?),
            meta: cells.meta()?,
        })
    }
}

/// Stores a visibility. False: there is one with this id, or for this plan and platform.
///
/// # Errors
/// The database's; a foreign key when there is no such plan or platform.
pub async fn insert(tx: &Tx<'_>, visibility: &Visibility) -> Result<bool, Error> {
    let Visibility {
        id,
        platform_id,
        plan_id,
        meta,
    } = visibility;
    let Meta {
        created_at,
        updated_at,
        ready,
        labels,
    } = meta;
    let stored = tx
        .query_opt(
            "INSERT INTO visibility (id, platform_id, service_plan_id, ready, labels, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING seq",
            &[
                &id.as_str(),
                &platform_id.as_ref().map(PlatformId::as_str),
                &plan_id.as_str(),
                ready,
                &json(labels)?,
                &created_at.millis(),
                &updated_at.millis(),
            ],
        )
        .await?;
    let Some(row) = stored else { return Ok(false) };
    label::insert(tx, Kind::Visibility, row.get(0)?, id.as_str(), labels).await?;
    touch(tx, id).await?;
    Ok(true)
}

/// Stores a visibility's new values. False: there is another for this plan and platform, or it is gone.
///
/// # Errors
/// The database's; a foreign key when there is no such plan or platform.
pub async fn update(tx: &Tx<'_>, visibility: &Visibility) -> Result<bool, Error> {
    let Visibility {
        id,
        platform_id,
        plan_id,
        meta,
    } = visibility;
    let Meta {
        created_at: _,
        updated_at,
        ready,
        labels,
    } = meta;
    // Before and after: its old plan may be another broker's.
    touch(tx, id).await?;
    let stored = tx
        .query_opt(
            "UPDATE visibility SET platform_id = $2, service_plan_id = $3, ready = $4, labels = $5, updated_at = $6
             WHERE id = $1 AND NOT EXISTS (
                SELECT 1 FROM visibility o WHERE o.service_plan_id = $3 AND o.id <> $1
                AND COALESCE(o.platform_id, '') = COALESCE($2, ''))
             RETURNING seq",
            &[
                &id.as_str(),
                &platform_id.as_ref().map(PlatformId::as_str),
                &plan_id.as_str(),
                ready,
                &json(labels)?,
                &updated_at.millis(),
            ],
        )
        .await?;
    let Some(row) = stored else { return Ok(false) };
    label::update(tx, Kind::Visibility, row.get(0)?, id.as_str(), labels).await?;
    touch(tx, id).await?;
    Ok(true)
}

/// Removes a visibility. False: there was none.
///
/// # Errors
/// The database's.
pub async fn delete(tx: &Tx<'_>, id: &VisibilityId) -> Result<bool, Error> {
    touch(tx, id).await?;
    let gone = tx
        .execute("DELETE FROM visibility WHERE id = $1", &[&id.as_str()])
        .await?;
    Ok(gone > 0)
}

/// All of a plan, oldest first.
///
/// # Errors
/// The database's.
pub async fn of_plan(tx: &Tx<'_>, plan: &PlanId) -> Result<Vec<Visibility>, Error> {
    resource::by(
        tx,
        "t.service_plan_id = $1 ORDER BY t.seq",
        &[&plan.as_str()],
    )
    .await
}

/// All of several plans, oldest first.
///
/// # Errors
/// The database's.
pub async fn of_plans(tx: &Tx<'_>, plans: &[PlanId]) -> Result<Vec<Visibility>, Error> {
    let ids: Vec<&str> = plans.iter().map(PlanId::as_str).collect();
    let condition = format!(
        "t.service_plan_id IN ({}) ORDER BY t.seq",
        elements(tx.dialect(), "$1")
    );
    resource::by(tx, &condition, &[&json(&ids)?]).await
}

/// Who sees the plans of this visibility's broker is no longer what it was.
async fn touch(tx: &Tx<'_>, id: &VisibilityId) -> Result<(), Error> {
    let broker = tx
        .query_opt(
            "SELECT o.broker_id FROM visibility v JOIN plan p ON p.id = v.service_plan_id
             JOIN offering o ON o.id = p.service_offering_id WHERE v.id = $1",
            &[&id.as_str()],
        )
        .await?;
    if let Some(row) = broker {
        tx.touch(Touched::View(BrokerId::stored(row.get(0)?)));
    }
    Ok(())
}
