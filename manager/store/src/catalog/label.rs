//! Stores other labels of an offering or a plan; nothing else of a catalog is a person's to change.

use crate::cells::json;
use crate::{Error, Tx, label};
use qm_model::id::{OfferingId, PlanId};
use qm_model::{Kind, Labels, Time};

/// Stores the labels of an offering. False: it is gone.
///
/// # Errors
/// The database's.
pub async fn label_offering(
    tx: &Tx<'_>,
    id: &OfferingId,
    labels: &Labels,
    now: Time,
) -> Result<bool, Error> {
    let sql =
        "UPDATE offering SET labels = $2, updated_at = $3 WHERE id = $1 RETURNING seq, broker_id";
    store(tx, sql, Kind::Offering, id.as_str(), labels, now).await
}

/// Stores the labels of a plan. False: it is gone.
///
/// # Errors
/// The database's.
pub async fn label_plan(
    tx: &Tx<'_>,
    id: &PlanId,
    labels: &Labels,
    now: Time,
) -> Result<bool, Error> {
    let sql = "UPDATE plan SET labels = $2, updated_at = $3 WHERE id = $1
               RETURNING seq, (SELECT o.broker_id FROM offering o WHERE o.id = service_offering_id)";
    store(tx, sql, Kind::Plan, id.as_str(), labels, now).await
}

async fn store(
    tx: &Tx<'_>,
    sql: &'static str,
    kind: Kind,
    id: &str,
    labels: &Labels,
    now: Time,
) -> Result<bool, Error> {
    let stored = tx
        .query_opt(sql, &[&id, &json(labels)?, &now.millis()])
        .await?;
    let Some(row) = stored else { return Ok(false) };
    label::update(tx, kind, row.get(0)?, id, labels).await?;
    super::touch(tx, &[row], 1)?;
    Ok(true)
}
