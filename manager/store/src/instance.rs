//! The table of instances. The deeds on instances call it.

use crate::cells::{Cells, json, json_opt};
use crate::resource::{Resource, Table};
use crate::{Error, Tx, count, label};
use qm_model::id::{BindingId, InstanceId, PlanId, PlatformId};
use qm_model::instance::Instance;
use qm_model::{Kind, Meta, Secret};

impl Resource for Instance {
    const KIND: Kind = Kind::Instance;

    fn id(&self) -> &str {
        self.id.as_str()
    }
}

impl Table for Instance {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "name",
        "service_plan_id",
        "platform_id",
        "dashboard_url",
        "maintenance_info",
        "context",
        "referenced_instance_id",
        "shared",
        "usable",
        "ready",
        "labels",
        "created_at",
        "updated_at",
    ];

    fn read(cells: &mut Cells) -> Result<Self, Error> {
        Ok(Self {
            id: InstanceId::stored(cells.text("id")?),
            name: cells.text("name")?,
            plan_id: PlanId::stored(cells.text("service_plan_id")?),
            platform_id: PlatformId::stored(cells.text("platform_id")?),
            dashboard_url: cells.text_opt("dashboard_url")?,
            maintenance_info: cells.json_opt("maintenance_info")?,
            context: cells.json_opt("context")?,
            referenced_instance_id: cells
                .text_opt("referenced_instance_id")?
                .map(InstanceId::stored),
            shared: cells.take("shared")?,
            usable: cells.take("usable")?,
            meta: cells.meta()?,
        })
    }
}

/// Stores an instance. False: the id is taken.
///
/// # Errors
/// The database's; a foreign key when there is no such plan or platform.
pub async fn insert(tx: &Tx<'_>, instance: &Instance) -> Result<bool, Error> {
    let Instance {
        id,
        name,
        plan_id,
        platform_id,
        dashboard_url,
        maintenance_info,
        context,
        referenced_instance_id,
        shared,
        usable,
        meta,
    } = instance;
    let Meta {
        created_at,
        updated_at,
        ready,
        labels,
    } = meta;
    let stored = tx
        .query_opt(
            "INSERT INTO instance (id, name, service_plan_id, platform_id, dashboard_url, maintenance_info, context,
                referenced_instance_id, shared, usable, ready, labels, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
             ON CONFLICT DO NOTHING RETURNING seq",
            &[
                &id.as_str(),
                name,
                &plan_id.as_str(),
                &platform_id.as_str(),
                dashboard_url,
                &json_opt(maintenance_info.as_ref())?,
                &json_opt(context.as_ref())?,
                &referenced_instance_id.as_ref().map(InstanceId::as_str),
                shared,
                usable,
                ready,
                &json(labels)?,
                &created_at.millis(),
                &updated_at.millis(),
            ],
        )
        .await?;
    let Some(row) = stored else { return Ok(false) };
    count::more(tx, Kind::Instance).await?;
    label::insert(tx, Kind::Instance, row.get(0)?, id.as_str(), labels).await?;
    Ok(true)
}

/// Stores an instance's new values. False: it is gone. Whether it is shared is not among them: whoever changes an
/// instance may have read it before somebody shared it, and [`share::set`](crate::share::set) is there for that.
///
/// # Errors
/// The database's; a foreign key when there is no such plan or platform.
pub async fn update(tx: &Tx<'_>, instance: &Instance) -> Result<bool, Error> {
    let Instance {
        id,
        name,
        plan_id,
        platform_id,
        dashboard_url,
        maintenance_info,
        context,
        referenced_instance_id,
        shared: _,
        usable,
        meta,
    } = instance;
    let Meta {
        created_at: _,
        updated_at,
        ready,
        labels,
    } = meta;
    let stored = tx
        .query_opt(
            "UPDATE instance SET name = $2, service_plan_id = $3, platform_id = $4, dashboard_url = $5,
                maintenance_info = $6, context = $7, referenced_instance_id = $8, usable = $9,
                ready = $10, labels = $11, updated_at = $12
             WHERE id = $1 RETURNING seq",
            &[
                &id.as_str(),
                name,
                &plan_id.as_str(),
                &platform_id.as_str(),
                dashboard_url,
                &json_opt(maintenance_info.as_ref())?,
                &json_opt(context.as_ref())?,
                &referenced_instance_id.as_ref().map(InstanceId::as_str),
                usable,
                ready,
                &json(labels)?,
                &updated_at.millis(),
            ],
        )
        .await?;
    let Some(row) = stored else { return Ok(false) };
    label::update(tx, Kind::Instance, row.get(0)?, id.as_str(), labels).await?;
    // The bindings repeat the platform, so that a platform's own are one index away.
    tx.execute(
        "UPDATE binding SET platform_id = $2 WHERE service_instance_id = $1 AND platform_id <> $2",
        &[&id.as_str(), &platform_id.as_str()],
    )
    .await?;
    Ok(true)
}

/// What it was asked for with and the broker confirmed, if that is kept.
///
/// # Errors
/// The database's, or the keys do not fit.
pub async fn parameters(tx: &Tx<'_>, id: &InstanceId) -> Result<Option<Secret<Vec<u8>>>, Error> {
    opened(
        tx,
        id,
        "parameters",
        "SELECT parameters FROM instance WHERE id = $1",
    )
    .await
}

/// What a change that failed was to bring, if one did since the last that did not.
///
/// # Errors
/// The database's, or the keys do not fit.
pub async fn wanted(tx: &Tx<'_>, id: &InstanceId) -> Result<Option<Secret<Vec<u8>>>, Error> {
    opened(
        tx,
        id,
        "wanted",
        "SELECT wanted FROM instance WHERE id = $1",
    )
    .await
}

async fn opened(
    tx: &Tx<'_>,
    id: &InstanceId,
    column: &'static str,
    text: &'static str,
) -> Result<Option<Secret<Vec<u8>>>, Error> {
    let row = tx.query_opt(text, &[&id.as_str()]).await?;
    let sealed: Option<Vec<u8>> = match row {
        Some(row) => row.get(0)?,
        None => None,
    };
    match sealed {
        Some(sealed) => Ok(Some(Secret::new(tx.open(&place(id, column), &sealed)?))),
        None => Ok(None),
    }
}

/// Gives an instance of the manager's own another key of its name. False: the name is taken.
///
/// # Errors
/// The database's.
pub async fn rename_key(tx: &Tx<'_>, id: &InstanceId, key: &str) -> Result<bool, Error> {
    let changed = tx
        .execute(
            "UPDATE instance SET name_key = $2
             WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM instance o WHERE o.name_key = $2 AND o.id <> $1)",
            &[&id.as_str(), &key],
        )
        .await?;
    Ok(changed > 0)
}

/// Ids of what stands in the way of its removal: its bindings and what refers to it, some of each.
///
/// # Errors
/// The database's.
pub async fn dependants(
    tx: &Tx<'_>,
    id: &InstanceId,
    limit: u32,
) -> Result<(Vec<BindingId>, Vec<InstanceId>), Error> {
    let bindings = tx
        .query(
            "SELECT id FROM binding WHERE service_instance_id = $1 ORDER BY seq LIMIT $2",
            &[&id.as_str(), &limit],
        )
        .await?;
    let references = tx
        .query(
            "SELECT id FROM instance WHERE referenced_instance_id = $1 ORDER BY seq LIMIT $2",
            &[&id.as_str(), &limit],
        )
        .await?;
    let bindings = bindings
        .into_iter()
        .map(|row| Ok(BindingId::stored(row.get(0)?)));
    let references = references
        .into_iter()
        .map(|row| Ok(InstanceId::stored(row.get(0)?)));
    Ok((
        bindings.collect::<Result<_, Error>>()?,
        references.collect::<Result<_, Error>>()?,
    ))
}

pub(crate) fn place<'a>(id: &'a InstanceId, column: &'static str) -> [&'a str; 3] {
    ["instance", id.as_str(), column]
}

/// Removes an instance. False: there was none.
///
/// # Errors
/// The database's; a foreign key when there are bindings.
pub async fn delete(tx: &Tx<'_>, id: &InstanceId) -> Result<bool, Error> {
    let gone = tx
        .execute("DELETE FROM instance WHERE id = $1", &[&id.as_str()])
        .await?;
    Ok(gone > 0)
}
