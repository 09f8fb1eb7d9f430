//! The table of bindings. The deeds on bindings call it.
//!
//! The rule: credentials are sealed for their row and leave only by [`credentials`]; reading a binding never
//! opens them.

mod many;

pub use many::credentials_of_many;

use crate::cells::{Cells, json, json_opt};
use crate::resource::{Resource, Table};
use crate::{Error, Tx, count, label};
use qm_model::binding::Binding;
use qm_model::id::{BindingId, InstanceId};
use qm_model::{Kind, Meta, Secret};
use serde_json::Value;

impl Resource for Binding {
    const KIND: Kind = Kind::Binding;

    fn id(&self) -> &str {
        self.id.as_str()
    }
}

impl Table for Binding {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "name",
        "service_instance_id",
        "syslog_drain_url",
        "route_service_url",
        "volume_mounts",
        "endpoints",
        "context",
        "bind_resource",
        "ready",
        "labels",
        "created_at",
        "updated_at",
    ];

    fn read(cells: &mut Cells) -> Result<Self, Error> {
        Ok(Self {
            id: BindingId::stored(cells.text("id")?),
            name: cells.text("name")?,
            instance_id: InstanceId::stored(cells.text("service_instance_id")?),
            syslog_drain_url: cells.text_opt("syslog_drain_url")?,
            route_service_url: cells.text_opt("route_service_url")?,
            volume_mounts: cells.json_opt("volume_mounts")?,
            endpoints: cells.json_opt("endpoints")?,
            context: cells.json_opt("context")?,
            bind_resource: cells.json_opt("bind_resource")?,
            meta: cells.meta()?,
        })
    }
}

/// Stores a binding of an instance that is there. False: the id is taken, or the instance is gone.
///
/// # Errors
/// The database's.
pub async fn insert(
    tx: &Tx<'_>,
    binding: &Binding,
    credentials: Option<&Secret<Value>>,
) -> Result<bool, Error> {
    let Binding {
        id,
        name,
        instance_id,
        syslog_drain_url,
        route_service_url,
        volume_mounts,
        endpoints,
        context,
        bind_resource,
        meta,
    } = binding;
    let Meta {
        created_at,
        updated_at,
        ready,
        labels,
    } = meta;
    let stored = tx
        .query_opt(
            "INSERT INTO binding (id, name, service_instance_id, platform_id, syslog_drain_url, route_service_url,
                volume_mounts, endpoints, context, bind_resource, credentials, ready, labels, created_at, updated_at)
             SELECT $1, $2, i.id, i.platform_id, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
             FROM instance i WHERE i.id = $3
             ON CONFLICT DO NOTHING RETURNING seq",
            &[
                &id.as_str(),
                name,
                &instance_id.as_str(),
                syslog_drain_url,
                route_service_url,
                &json_opt(volume_mounts.as_ref())?,
                &json_opt(endpoints.as_ref())?,
                &json_opt(context.as_ref())?,
                &json_opt(bind_resource.as_ref())?,
                &seal(tx, id, credentials)?,
                ready,
                &json(labels)?,
                &created_at.millis(),
                &updated_at.millis(),
            ],
        )
        .await?;
    let Some(row) = stored else { return Ok(false) };
    count::more(tx, Kind::Binding).await?;
    label::insert(tx, Kind::Binding, row.get(0)?, id.as_str(), labels).await?;
    Ok(true)
}

/// Stores a binding's new values; without `credentials` those stay as they are. False: it is gone.
///
/// # Errors
/// The database's.
pub async fn update(
    tx: &Tx<'_>,
    binding: &Binding,
    credentials: Option<&Secret<Value>>,
) -> Result<bool, Error> {
    let Binding {
        id,
        name,
        instance_id: _,
        syslog_drain_url,
        route_service_url,
        volume_mounts,
        endpoints,
        context,
        bind_resource,
        meta,
    } = binding;
    let Meta {
        created_at: _,
        updated_at,
        ready,
        labels,
    } = meta;
    let stored = tx
        .query_opt(
            "UPDATE binding SET name = $2, syslog_drain_url = $3, route_service_url = $4, volume_mounts = $5,
                endpoints = $6, context = $7, bind_resource = $8, credentials = COALESCE($9, credentials),
                ready = $10, labels = $11, updated_at = $12
             WHERE id = $1 RETURNING seq",
            &[
                &id.as_str(),
                name,
                syslog_drain_url,
                route_service_url,
                &json_opt(volume_mounts.as_ref())?,
                &json_opt(endpoints.as_ref())?,
                &json_opt(context.as_ref())?,
                &json_opt(bind_resource.as_ref())?,
                &seal(tx, id, credentials)?,
                ready,
                &json(labels)?,
                &updated_at.millis(),
            ],
        )
        .await?;
    let Some(row) = stored else { return Ok(false) };
    label::update(tx, Kind::Binding, row.get(0)?, id.as_str(), labels).await?;
    Ok(true)
}

/// What the broker gave for it, if anything is kept.
///
/// # Errors
/// The database's, or the keys do not fit.
pub async fn credentials(tx: &Tx<'_>, id: &BindingId) -> Result<Option<Secret<Value>>, Error> {
    let row = tx
        .query_opt(
            "SELECT credentials FROM binding WHERE id = $1",
            &[&id.as_str()],
        )
        .await?;
    let sealed: Option<Vec<u8>> = match row {
        Some(row) => row.get(0)?,
        None => None,
    };
    let Some(sealed) = sealed else {
        return Ok(None);
    };
    let plain = tx.open(&place(id), &sealed)?;
    serde_json::from_slice(&plain)
        .map(|value| Some(Secret::new(value)))
        .map_err(|_| wrong())
}

/// Gives a binding of the manager's own another key of its name. False: the name is taken.
///
/// # Errors
/// The database's.
pub async fn rename_key(tx: &Tx<'_>, id: &BindingId, key: &str) -> Result<bool, Error> {
    let changed = tx
        .execute(
            "UPDATE binding SET name_key = $2
             WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM binding o WHERE o.name_key = $2 AND o.id <> $1)",
            &[&id.as_str(), &key],
        )
        .await?;
    Ok(changed > 0)
}

/// Keeps what the broker gave for it.
///
/// # Errors
/// The database's.
pub(crate) async fn keep_credentials(
    tx: &Tx<'_>,
    id: &BindingId,
    credentials: &Secret<Value>,
) -> Result<(), Error> {
    let sealed = seal(tx, id, Some(credentials))?;
    tx.execute(
        "UPDATE binding SET credentials = $2 WHERE id = $1",
        &[&id.as_str(), &sealed],
    )
    .await
    .map(drop)
}

/// Removes a binding. False: there was none.
///
/// # Errors
/// The database's.
pub async fn delete(tx: &Tx<'_>, id: &BindingId) -> Result<bool, Error> {
    let gone = tx
        .execute("DELETE FROM binding WHERE id = $1", &[&id.as_str()])
        .await?;
    Ok(gone > 0)
}

fn seal(
    tx: &Tx<'_>,
    id: &BindingId,
    credentials: Option<&Secret<Value>>,
) -> Result<Option<Vec<u8>>, Error> {
    let Some(credentials) = credentials else {
        return Ok(None);
    };
    let plain = serde_json::to_vec(credentials.expose()).map_err(|_| wrong())?;
    tx.seal(&place(id), &plain).map(Some)
}

fn place(id: &BindingId) -> [&str; 3] {
    ["binding", id.as_str(), "credentials"]
}

fn wrong() -> Error {
    Error::Form {
        table: "binding",
        column: "credentials",
    }
}
