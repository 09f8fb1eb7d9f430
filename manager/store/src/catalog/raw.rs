//! A catalog as the broker wrote it: what the OSB door serves, and what a new one is compared with.
//!
//! The rule: an offering's text is sealed, because it may hold the secret of a dashboard's client.

use crate::cells::Cells;
use crate::{Error, Tx};
use qm_model::id::{BrokerId, OfferingId, PlanId};
use serde_json::Value;
use std::collections::HashMap;

/// An offering as the broker wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct RawOffering {
    /// The manager's id.
    pub id: OfferingId,
    /// The broker's id.
    pub catalog_id: String,
    /// The text, without the plans.
    pub raw: Value,
    /// Its plans.
    pub plans: Vec<RawPlan>,
}

/// A plan as the broker wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct RawPlan {
    /// The manager's id.
    pub id: PlanId,
    /// The broker's id.
    pub catalog_id: String,
    /// The text.
    pub raw: Value,
}

/// The catalog of a broker as it wrote it, in the order in which it was stored.
///
/// # Errors
/// The database's, or the keys do not fit.
pub async fn raw_of_broker(tx: &Tx<'_>, id: &BrokerId) -> Result<Vec<RawOffering>, Error> {
    let rows = tx
        .query(
            "SELECT p.service_offering_id, p.id, p.catalog_id, p.raw FROM plan p
             WHERE p.service_offering_id IN (SELECT o.id FROM offering o WHERE o.broker_id = $1) ORDER BY p.seq",
            &[&id.as_str()],
        )
        .await?;
    let mut plans: HashMap<String, Vec<RawPlan>> = HashMap::new();
    for row in rows {
        let mut cells = Cells::new("plan", row);
        let offering = cells.text("service_offering_id")?;
        let plan = RawPlan {
            id: PlanId::stored(cells.text("id")?),
            catalog_id: cells.text("catalog_id")?,
            raw: cells.json("raw")?,
        };
        plans.entry(offering).or_default().push(plan);
    }
    let rows = tx
        .query(
            "SELECT id, catalog_id, raw FROM offering WHERE broker_id = $1 ORDER BY seq",
            &[&id.as_str()],
        )
        .await?;
    rows.into_iter()
        .map(|row| {
            let mut cells = Cells::new("offering", row);
            let id = OfferingId::stored(cells.text("id")?);
            Ok(RawOffering {
                catalog_id: cells.text("catalog_id")?,
                raw: open(tx, &id, &cells.take::<Vec<u8>>("raw")?)?,
                plans: plans.remove(id.as_str()).unwrap_or_default(),
                id,
            })
        })
        .collect()
}

fn open(tx: &Tx<'_>, id: &OfferingId, sealed: &[u8]) -> Result<Value, Error> {
    let plain = tx.open(&place(id), sealed)?;
    serde_json::from_slice(&plain).map_err(|_| Error::Form {
        table: "offering",
        column: "raw",
    })
}

pub(super) fn place(id: &OfferingId) -> [&str; 3] {
    ["offering", id.as_str(), "raw"]
}
