//! The tables of offerings and plans, written together: a catalog. The deeds on brokers call it.
//!
//! The rule: a row is found by the manager's own id; which offering of a new catalog is which stored one is
//! the deed's to say.

mod label;
mod put;
mod raw;

pub use label::{label_offering, label_plan};
pub use put::{put_offering, put_plan};
pub use raw::{RawOffering, RawPlan, raw_of_broker};

use crate::cells::json;
use crate::resource;
use crate::sql::elements;
use crate::{Error, Touched, Tx};
use qm_model::broker::Broker;
use qm_model::id::{BrokerId, OfferingId, PlanId};
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use std::collections::HashMap;
use std::sync::Arc;

/// The catalog of a broker, in the order in which it was stored.
///
/// # Errors
/// The database's.
pub async fn of_broker(tx: &Tx<'_>, id: &BrokerId) -> Result<Vec<(Offering, Vec<Plan>)>, Error> {
    let offerings: Vec<Offering> =
        resource::by(tx, "t.broker_id = $1 ORDER BY t.seq", &[&id.as_str()]).await?;
    let plans: Vec<Plan> = resource::by(
        tx,
        "t.service_offering_id IN (SELECT o.id FROM offering o WHERE o.broker_id = $1) ORDER BY t.seq",
        &[&id.as_str()],
    )
    .await?;
    let mut by_offering: HashMap<OfferingId, Vec<Plan>> = HashMap::new();
    for plan in plans {
        by_offering
            .entry(plan.offering_id.clone())
            .or_default()
            .push(plan);
    }
    Ok(offerings
        .into_iter()
        .map(|offering| {
            let plans = by_offering.remove(&offering.id).unwrap_or_default();
            (offering, plans)
        })
        .collect())
}

/// A plan and the broker it is from.
///
/// # Errors
/// The database's.
pub async fn broker_of_plan(tx: &Tx<'_>, id: &PlanId) -> Result<Option<(Broker, Plan)>, Error> {
    let plan: Option<Plan> = resource::by(tx, "t.id = $1", &[&id.as_str()]).await?.pop();
    let Some(plan) = plan else { return Ok(None) };
    let condition = "t.id = (SELECT o.broker_id FROM offering o WHERE o.id = $1)";
    let broker = resource::by(tx, condition, &[&plan.offering_id.as_str()])
        .await?
        .pop();
    Ok(broker.map(|broker| (broker, plan)))
}

/// The broker that a plan is from, when nothing else of them is needed.
///
/// # Errors
/// The database's.
pub async fn broker_id_of_plan(tx: &Tx<'_>, id: &str) -> Result<Option<BrokerId>, Error> {
    let text = "SELECT o.broker_id FROM plan p JOIN offering o ON o.id = p.service_offering_id WHERE p.id = $1";
    let row = tx.query_opt(text, &[&id]).await?;
    row.map(|row| Ok(BrokerId::stored(row.get(0)?))).transpose()
}

/// Plans by the broker's names of their offering and themselves; several brokers may use the same.
///
/// # Errors
/// The database's.
pub async fn plans_named(tx: &Tx<'_>, offering: &str, plan: &str) -> Result<Vec<PlanId>, Error> {
    let rows = tx
        .query(
            "SELECT p.id FROM plan p JOIN offering o ON o.id = p.service_offering_id
             WHERE o.catalog_name = $1 AND p.catalog_name = $2 ORDER BY p.seq LIMIT 100",
            &[&offering, &plan],
        )
        .await?;
    rows.into_iter()
        .map(|row| Ok(PlanId::stored(row.get(0)?)))
        .collect()
}

/// Removes an offering with its plans and their visibilities. False: there was none.
///
/// # Errors
/// The database's; a foreign key when there are instances.
pub async fn delete_offering(tx: &Tx<'_>, id: &OfferingId) -> Result<bool, Error> {
    let gone = tx
        .query(
            "DELETE FROM offering WHERE id = $1 RETURNING broker_id",
            &[&id.as_str()],
        )
        .await?;
    touch(tx, &gone, 0)?;
    Ok(!gone.is_empty())
}

/// Removes a plan with its visibilities. False: there was none.
///
/// # Errors
/// The database's; a foreign key when there are instances.
pub async fn delete_plan(tx: &Tx<'_>, id: &PlanId) -> Result<bool, Error> {
    let gone = tx
        .query(
            "DELETE FROM plan WHERE id = $1
             RETURNING (SELECT o.broker_id FROM offering o WHERE o.id = service_offering_id)",
            &[&id.as_str()],
        )
        .await?;
    touch(tx, &gone, 0)?;
    Ok(!gone.is_empty())
}

/// Those of the plans that have instances.
///
/// # Errors
/// The database's.
pub async fn plans_with_instances(tx: &Tx<'_>, plans: &[PlanId]) -> Result<Vec<PlanId>, Error> {
    let ids: Vec<&str> = plans.iter().map(PlanId::as_str).collect();
    let text = format!(
        "SELECT p.id FROM plan p WHERE p.id IN ({})
         AND EXISTS (SELECT 1 FROM instance i WHERE i.service_plan_id = p.id) ORDER BY p.seq",
        elements(tx.dialect(), "$1")
    );
    let rows = tx.query(Arc::<str>::from(text), &[&json(&ids)?]).await?;
    rows.iter()
        .map(|row| Ok(PlanId::stored(row.get(0)?)))
        .collect()
}

/// The catalogs of the brokers named in this column of the rows are no longer what they were.
fn touch(tx: &Tx<'_>, rows: &[qm_db::Row], column: usize) -> Result<(), Error> {
    for row in rows {
        let broker: Option<String> = row.get(column)?;
        if let Some(broker) = broker {
            tx.touch(Touched::View(BrokerId::stored(broker)));
        }
    }
    Ok(())
}
