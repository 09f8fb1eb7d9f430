//! The credentials of many bindings at once, for a page of a list.

use super::{place, wrong};
use crate::cells::{Cells, json};
use crate::sql::elements;
use crate::{Error, Tx};
use qm_model::Secret;
use qm_model::id::BindingId;
use serde_json::Value;
use std::sync::Arc;

/// What the broker gave for each of them; those for which nothing is kept are left out.
///
/// # Errors
/// The database's, or the keys do not fit.
pub async fn credentials_of_many(
    tx: &Tx<'_>,
    ids: &[String],
) -> Result<Vec<(BindingId, Secret<Value>)>, Error> {
    let text = format!(
        "SELECT id, credentials FROM binding
         WHERE credentials IS NOT NULL AND id IN (SELECT v.element FROM ({}) v)",
        elements(tx.dialect(), "$1"),
    );
    let rows = tx.query(Arc::<str>::from(text), &[&json(&ids)?]).await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let mut cells = Cells::new("binding", row);
        let id = BindingId::stored(cells.text("id")?);
        let sealed: Vec<u8> = cells.take("credentials")?;
        let plain = tx.open(&place(&id), &sealed)?;
        let credentials = serde_json::from_slice(&plain).map_err(|_| wrong())?;
        found.push((id, Secret::new(credentials)));
    }
    Ok(found)
}
