//! The table of brokers. The deeds on brokers and the catalog refresher call it.
//!
//! The rule: how to log in at a broker is sealed for its row and leaves only by [`access()`].

mod access;
mod catalog;

pub use catalog::{claim_due, set_catalog_state, set_due};

use crate::cells::{Cells, json, json_opt};
use crate::resource::{Resource, Table};
use crate::{Error, Touched, Tx, label};
use qm_model::broker::{Access, Broker, CatalogState};
use qm_model::id::BrokerId;
use qm_model::{Kind, Meta};

impl Resource for Broker {
    const KIND: Kind = Kind::Broker;

    fn id(&self) -> &str {
        self.id.as_str()
    }
}

impl Table for Broker {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "name",
        "description",
        "broker_url",
        "catalog_etag",
        "catalog_at",
        "catalog_error",
        "catalog_held",
        "ready",
        "labels",
        "created_at",
        "updated_at",
    ];

    fn read(cells: &mut Cells) -> Result<Self, Error> {
        Ok(Self {
            id: BrokerId::stored(cells.text("id")?),
            name: cells.text("name")?,
            description: cells.text("description")?,
            url: cells.text("broker_url")?,
            catalog: CatalogState {
                etag: cells.text_opt("catalog_etag")?,
                fetched_at: cells.time_opt("catalog_at")?,
                problem: cells.text_opt("catalog_error")?,
                held: catalog::held(cells)?,
            },
            meta: cells.meta()?,
        })
    }
}

/// Stores a broker; its catalog is due at once. False: the name or the id is taken.
///
/// # Errors
/// The database's.
pub async fn insert(tx: &Tx<'_>, broker: &Broker, access: &Access) -> Result<bool, Error> {
    let Broker {
        id,
        name,
        description,
        url,
        meta,
        catalog,
    } = broker;
    let Meta {
        created_at,
        updated_at,
        ready,
        labels,
    } = meta;
    let CatalogState {
        etag,
        fetched_at,
        problem,
        held,
    } = catalog;
    let stored = tx
        .query_opt(
            "INSERT INTO broker (id, name, description, broker_url, access, catalog_etag, catalog_at, catalog_error,
                                 catalog_held, catalog_due, ready, labels, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
             ON CONFLICT DO NOTHING RETURNING seq",
            &[
                &id.as_str(),
                name,
                description,
                url,
                &access::seal(tx, id, access)?,
                etag,
                &fetched_at.map(qm_model::Time::millis),
                problem,
                &json_opt(held.as_ref().map(catalog::Held::of).as_ref())?,
                &created_at.millis(),
                ready,
                &json(labels)?,
                &created_at.millis(),
                &updated_at.millis(),
            ],
        )
        .await?;
    let Some(row) = stored else { return Ok(false) };
    label::insert(tx, Kind::Broker, row.get(0)?, id.as_str(), labels).await?;
    Ok(true)
}

/// Stores a broker's new values; without `access` that stays as it is. What became of its catalog is apart
/// ([`set_catalog_state`]). False: the name is taken, or the broker is gone.
///
/// # Errors
/// The database's.
pub async fn update(tx: &Tx<'_>, broker: &Broker, access: Option<&Access>) -> Result<bool, Error> {
    let Broker {
        id,
        name,
        description,
        url,
        meta,
        catalog: _,
    } = broker;
    let Meta {
        created_at: _,
        updated_at,
        ready,
        labels,
    } = meta;
    let access = match access {
        Some(access) => Some(access::seal(tx, id, access)?),
        None => None,
    };
    let stored = tx
        .query_opt(
            "UPDATE broker SET name = $2, description = $3, broker_url = $4, access = COALESCE($5, access),
                               ready = $6, labels = $7, updated_at = $8, version = version + 1
             WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM broker o WHERE o.name = $2 AND o.id <> $1)
             RETURNING seq",
            &[
                &id.as_str(),
                name,
                description,
                url,
                &access,
                ready,
                &json(labels)?,
                &updated_at.millis(),
            ],
        )
        .await?;
    let Some(row) = stored else { return Ok(false) };
    label::update(tx, Kind::Broker, row.get(0)?, id.as_str(), labels).await?;
    tx.touch(Touched::View(id.clone()));
    Ok(true)
}

/// How to log in at the broker.
///
/// # Errors
/// The database's, or the keys do not fit.
pub async fn access(tx: &Tx<'_>, id: &BrokerId) -> Result<Option<Access>, Error> {
    let row = tx
        .query_opt("SELECT access FROM broker WHERE id = $1", &[&id.as_str()])
        .await?;
    let Some(row) = row else { return Ok(None) };
    let sealed: Vec<u8> = row.get(0)?;
    access::open(tx, id, &sealed).map(Some)
}

/// Removes a broker with its offerings, plans, visibilities and credentials. False: there was none.
///
/// # Errors
/// The database's; a foreign key when there are instances.
pub async fn delete(tx: &Tx<'_>, id: &BrokerId) -> Result<bool, Error> {
    let gone = tx
        .execute("DELETE FROM broker WHERE id = $1", &[&id.as_str()])
        .await?;
    tx.touch(Touched::Gone(id.clone()));
    Ok(gone > 0)
}

/// Whether there is an instance of any of its plans.
///
/// # Errors
/// The database's.
pub async fn has_instances(tx: &Tx<'_>, id: &BrokerId) -> Result<bool, Error> {
    let row = tx
        .query_opt(
            "SELECT 1 FROM offering o JOIN plan p ON p.service_offering_id = o.id
             WHERE o.broker_id = $1
               AND EXISTS (SELECT 1 FROM instance i WHERE i.service_plan_id = p.id) LIMIT 1",
            &[&id.as_str()],
        )
        .await?;
    Ok(row.is_some())
}
