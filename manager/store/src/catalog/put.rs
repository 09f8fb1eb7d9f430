//! Stores an offering or a plan, new or changed, with its text as the broker wrote it.

use super::raw;
use crate::cells::{json, json_opt};
use crate::{Error, Touched, Tx, label};
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_model::{Kind, Meta};
use serde_json::Value;

/// Stores an offering, new or changed; its id says which.
///
/// # Errors
/// The database's.
pub async fn put_offering(tx: &Tx<'_>, offering: &Offering, raw: &Value) -> Result<(), Error> {
    let Offering {
        id,
        broker_id,
        name,
        description,
        bindable,
        plan_updateable,
        instances_retrievable,
        bindings_retrievable,
        allow_context_updates,
        tags,
        requires,
        metadata,
        catalog_id,
        catalog_name,
        data_center,
        meta,
    } = offering;
    let Meta {
        created_at,
        updated_at,
        ready,
        labels,
    } = meta;
    let row = tx
        .query_opt(
            "INSERT INTO offering (id, broker_id, name, description, bindable, plan_updateable,
                instances_retrievable, bindings_retrievable, allow_context_updates, tags, requires, metadata,
                catalog_id, catalog_name, data_center, raw, ready, labels, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
                bindable = excluded.bindable, plan_updateable = excluded.plan_updateable,
                instances_retrievable = excluded.instances_retrievable,
                bindings_retrievable = excluded.bindings_retrievable,
                allow_context_updates = excluded.allow_context_updates, tags = excluded.tags,
                requires = excluded.requires, metadata = excluded.metadata, catalog_id = excluded.catalog_id,
                catalog_name = excluded.catalog_name, data_center = excluded.data_center, raw = excluded.raw,
                ready = excluded.ready, labels = excluded.labels, updated_at = excluded.updated_at
             RETURNING seq",
            &[
                &id.as_str(),
                &broker_id.as_str(),
                name,
                description,
                bindable,
                plan_updateable,
                instances_retrievable,
                bindings_retrievable,
                allow_context_updates,
                &json(tags)?,
                &json(requires)?,
                &json_opt(metadata.as_ref())?,
                catalog_id,
                catalog_name,
                data_center,
                &tx.seal(&raw::place(id), json(raw)?.as_bytes())?,
                ready,
                &json(labels)?,
                &created_at.millis(),
                &updated_at.millis(),
            ],
        )
        .await?;
    tx.touch(Touched::View(broker_id.clone()));
    match row {
        Some(row) => label::update(tx, Kind::Offering, row.get(0)?, id.as_str(), labels).await,
        None => Ok(()),
    }
}

/// Stores a plan, new or changed; its id says which.
///
/// # Errors
/// The database's.
pub async fn put_plan(tx: &Tx<'_>, plan: &Plan, raw: &Value) -> Result<(), Error> {
    let Plan {
        id,
        offering_id,
        name,
        description,
        free,
        bindable,
        plan_updateable,
        metadata,
        schemas,
        maximum_polling_duration,
        maintenance_info,
        catalog_id,
        catalog_name,
        meta,
    } = plan;
    let Meta {
        created_at,
        updated_at,
        ready,
        labels,
    } = meta;
    let row = tx
        .query_opt(
            "INSERT INTO plan (id, service_offering_id, name, description, free, bindable, plan_updateable,
                metadata, schemas, maximum_polling_duration, maintenance_info, catalog_id, catalog_name, raw,
                ready, labels, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
                free = excluded.free, bindable = excluded.bindable, plan_updateable = excluded.plan_updateable,
                metadata = excluded.metadata, schemas = excluded.schemas,
                maximum_polling_duration = excluded.maximum_polling_duration,
                maintenance_info = excluded.maintenance_info, catalog_id = excluded.catalog_id,
                catalog_name = excluded.catalog_name, raw = excluded.raw, ready = excluded.ready,
                labels = excluded.labels, updated_at = excluded.updated_at
             RETURNING seq, (SELECT o.broker_id FROM offering o WHERE o.id = service_offering_id)",
            &[
                &id.as_str(),
                &offering_id.as_str(),
                name,
                description,
                free,
                bindable,
                plan_updateable,
                &json_opt(metadata.as_ref())?,
                &json_opt(schemas.as_ref())?,
                maximum_polling_duration,
                &json_opt(maintenance_info.as_ref())?,
                catalog_id,
                catalog_name,
                &json(raw)?,
                ready,
                &json(labels)?,
                &created_at.millis(),
                &updated_at.millis(),
            ],
        )
        .await?;
    let Some(row) = row else { return Ok(()) };
    label::update(tx, Kind::Plan, row.get(0)?, id.as_str(), labels).await?;
    super::touch(tx, &[row], 1)
}
