//! The table of platforms. The deeds on platforms, the doors' login and the stream call it.
//!
//! The rule: [`update`] never touches signs of life or credentials, and their own functions touch nothing
//! else, so that two who write at once do not undo each other.

mod credentials;
mod life;

pub use credentials::{Secrets, Stored, activate, by_username, rotate};
pub use life::{expire_active, receivers, set_active};

use crate::cells::{Cells, json};
use crate::resource::{self, Resource, Table};
use crate::{Error, Touched, Tx, label};
use qm_model::id::{BrokerId, PlatformId};
use qm_model::platform::Platform;
use qm_model::{Kind, Meta, Time};

impl Resource for Platform {
    const KIND: Kind = Kind::Platform;

    fn id(&self) -> &str {
        self.id.as_str()
    }
}

impl Table for Platform {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "name",
        "type",
        "description",
        "technical",
        "suspended",
        "active",
        "last_active",
        "version",
        "ready",
        "labels",
        "created_at",
        "updated_at",
    ];

    fn read(cells: &mut Cells) -> Result<Self, Error> {
        Ok(Self {
            id: PlatformId::stored(cells.text("id")?),
            name: cells.text("name")?,
            platform_type: cells.text("type")?,
            description: cells.text("description")?,
            technical: cells.take("technical")?,
            suspended: cells.take("suspended")?,
            active: cells.take("active")?,
            last_active: cells.time_opt("last_active")?,
            version: cells.text("version")?,
            meta: cells.meta()?,
        })
    }
}

/// Stores a platform; without secrets it cannot log in. False: the name, the id or the user is taken.
///
/// # Errors
/// The database's.
pub async fn insert(
    tx: &Tx<'_>,
    platform: &Platform,
    secrets: Option<&Secrets>,
) -> Result<bool, Error> {
    let Platform {
        id,
        name,
        platform_type,
        description,
        technical,
        suspended,
        active,
        last_active,
        version,
        meta,
    } = platform;
    let Meta {
        created_at,
        updated_at,
        ready,
        labels,
    } = meta;
    let stored = tx
        .query_opt(
            "INSERT INTO platform (id, name, type, description, technical, suspended, active, last_active, version,
                                   username, password, credentials_active, ready, labels, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, FALSE, $12, $13, $14, $15)
             ON CONFLICT DO NOTHING RETURNING seq",
            &[
                &id.as_str(),
                name,
                platform_type,
                description,
                technical,
                suspended,
                active,
                &last_active.map(Time::millis),
                version,
                &secrets.map(|secrets| secrets.username.as_str()),
                &secrets.map(|secrets| secrets.hash.as_slice()),
                ready,
                &json(labels)?,
                &created_at.millis(),
                &updated_at.millis(),
            ],
        )
        .await?;
    let Some(row) = stored else { return Ok(false) };
    label::insert(tx, Kind::Platform, row.get(0)?, id.as_str(), labels).await?;
    Ok(true)
}

/// Stores what a person can change of a platform. False: the name is taken, or the platform is gone.
///
/// # Errors
/// The database's.
pub async fn update(tx: &Tx<'_>, platform: &Platform) -> Result<bool, Error> {
    let Platform {
        id,
        name,
        platform_type,
        description,
        technical,
        suspended,
        active: _,
        last_active: _,
        version: _,
        meta,
    } = platform;
    let Meta {
        created_at: _,
        updated_at,
        ready,
        labels,
    } = meta;
    let stored = tx
        .query_opt(
            "UPDATE platform SET name = $2, type = $3, description = $4, technical = $5, suspended = $6, ready = $7,
                                 labels = $8, updated_at = $9
             WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM platform o WHERE o.name = $2 AND o.id <> $1)
             RETURNING seq",
            &[
                &id.as_str(),
                name,
                platform_type,
                description,
                technical,
                suspended,
                ready,
                &json(labels)?,
                &updated_at.millis(),
            ],
        )
        .await?;
    let Some(row) = stored else { return Ok(false) };
    label::update(tx, Kind::Platform, row.get(0)?, id.as_str(), labels).await?;
    tx.touch(Touched::Platform(id.clone()));
    Ok(true)
}

/// Removes a platform with its visibilities and credentials. False: there was none.
///
/// # Errors
/// The database's; a foreign key when there are instances.
pub async fn delete(tx: &Tx<'_>, id: &PlatformId) -> Result<bool, Error> {
    // Another may be registered under its id, and must not see what this one saw.
    let saw = tx
        .query(
            "SELECT DISTINCT o.broker_id FROM visibility v JOIN plan p ON p.id = v.service_plan_id
             JOIN offering o ON o.id = p.service_offering_id WHERE v.platform_id = $1",
            &[&id.as_str()],
        )
        .await?;
    for row in &saw {
        tx.touch(Touched::View(BrokerId::stored(row.get(0)?)));
    }
    tx.touch(Touched::Platform(id.clone()));
    let gone = tx
        .execute("DELETE FROM platform WHERE id = $1", &[&id.as_str()])
        .await?;
    Ok(gone > 0)
}

/// Whether it has an instance.
///
/// # Errors
/// The database's.
pub async fn has_instances(tx: &Tx<'_>, id: &PlatformId) -> Result<bool, Error> {
    let row = tx
        .query_opt(
            "SELECT 1 FROM instance WHERE platform_id = $1 LIMIT 1",
            &[&id.as_str()],
        )
        .await?;
    Ok(row.is_some())
}

/// A platform, also a technical one, which nobody is shown.
///
/// # Errors
/// The database's.
pub async fn get_any(tx: &Tx<'_>, id: &str) -> Result<Option<Platform>, Error> {
    Ok(resource::by(tx, "t.id = $1", &[&id]).await?.pop())
}
