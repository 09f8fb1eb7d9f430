//! The broker's own words about an operation that failed. They may hold anything, so they are sealed, and read apart
//! for those who may see the operation.

use crate::cells::{Cells, json};
use crate::sql::elements;
use crate::{Error, Tx};
use qm_model::Secret;
use qm_model::id::OperationId;
use serde_json::Value;
use std::sync::Arc;

/// What the broker said, if it said anything.
///
/// # Errors
/// The database's, or the keys do not fit.
pub async fn said(tx: &Tx<'_>, id: &OperationId) -> Result<Option<Secret<Value>>, Error> {
    let ids = [id.as_str().to_owned()];
    Ok(said_of_many(tx, &ids).await?.pop().map(|(_, said)| said))
}

/// The same for many; those about which nothing was said are left out.
///
/// # Errors
/// The database's, or the keys do not fit.
pub async fn said_of_many(
    tx: &Tx<'_>,
    ids: &[String],
) -> Result<Vec<(OperationId, Secret<Value>)>, Error> {
    let text = format!(
        "SELECT id, said FROM operation WHERE said IS NOT NULL AND id IN (SELECT v.element FROM ({}) v)",
        elements(tx.dialect(), "$1"),
    );
    let rows = tx.query(Arc::<str>::from(text), &[&json(&ids)?]).await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let mut cells = Cells::new("operation", row);
        let id = OperationId::stored(cells.text("id")?);
        let sealed: Vec<u8> = cells.take("said")?;
        let plain = tx.open(&place(&id), &sealed)?;
        let said = serde_json::from_slice(&plain).map_err(|_| Error::Form {
            table: "operation",
            column: "said",
        })?;
        found.push((id, Secret::new(said)));
    }
    Ok(found)
}

pub(crate) fn place(id: &OperationId) -> [&str; 3] {
    ["operation", id.as_str(), "said"]
}
