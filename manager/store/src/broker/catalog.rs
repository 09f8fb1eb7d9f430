//! What became of a broker's catalog, and whose turn it is to be looked at. The refresher calls it.
//!
//! The rule: whoever claims a broker pushes its due time forward in the same statement, so of several
//! replicas one looks; if that one dies, the broker is due again later.

use crate::cells::{Cells, json_opt};
use crate::{Error, Store, Tx};
use qm_db::Dialect;
use qm_model::Time;
use qm_model::broker::{CatalogState, Difference, HeldChange};
use qm_model::id::BrokerId;
use serde::{Deserialize, Serialize};

/// Claims up to `limit` brokers whose catalog is due, and makes them due again at `next_due`. One that would be due
/// much later than that was put off by a clock that was set back since: it is due now.
///
/// # Errors
/// The database's.
pub async fn claim_due(
    store: &Store,
    now: Time,
    next_due: Time,
    limit: u32,
) -> Result<Vec<BrokerId>, Error> {
    let sql = match store.db.dialect() {
        Dialect::Sqlite => {
            "UPDATE broker SET catalog_due = $2 WHERE seq IN
                (SELECT seq FROM broker WHERE catalog_due <= $1 OR catalog_due > $4 ORDER BY catalog_due LIMIT $3)
             RETURNING id"
        }
        Dialect::Postgres => {
            "WITH due AS MATERIALIZED (SELECT seq FROM broker WHERE catalog_due <= $1 OR catalog_due > $4
                ORDER BY catalog_due LIMIT $3 FOR UPDATE SKIP LOCKED)
             UPDATE broker b SET catalog_due = $2 FROM due WHERE b.seq = due.seq RETURNING b.id"
        }
    };
    let beyond = next_due.plus(next_due.since(now));
    let params = vec![
        now.millis().into(),
        next_due.millis().into(),
        limit.into(),
        beyond.millis().into(),
    ];
    let rows = store.db.write_returning(sql, params).await?;
    rows.iter()
        .map(|row| Ok(BrokerId::stored(row.get(0)?)))
        .collect()
}

/// Says when to look at a broker's catalog next.
///
/// # Errors
/// The database's.
pub async fn set_due(tx: &Tx<'_>, id: &BrokerId, due: Time) -> Result<(), Error> {
    tx.execute(
        "UPDATE broker SET catalog_due = $2 WHERE id = $1",
        &[&id.as_str(), &due.millis()],
    )
    .await
    .map(drop)
}

/// Stores how the last look at the catalog went. The broker itself is not changed by it.
///
/// # Errors
/// The database's.
pub async fn set_catalog_state(
    tx: &Tx<'_>,
    id: &BrokerId,
    state: &CatalogState,
) -> Result<(), Error> {
    let CatalogState {
        etag,
        fetched_at,
        problem,
        held,
    } = state;
    tx.execute(
        "UPDATE broker SET catalog_etag = $2, catalog_at = $3, catalog_error = $4, catalog_held = $5 WHERE id = $1",
        &[
            &id.as_str(),
            etag,
            &fetched_at.map(Time::millis),
            problem,
            &json_opt(held.as_ref().map(Held::of).as_ref())?,
        ],
    )
    .await
    .map(drop)
}

/// A change in quarantine as JSON.
#[derive(Serialize, Deserialize)]
pub(super) struct Held {
    at: i64,
    reason: String,
    added: Vec<String>,
    changed: Vec<String>,
    removed: Vec<String>,
}

impl Held {
    pub(super) fn of(held: &HeldChange) -> Self {
        let HeldChange {
            at,
            reason,
            difference,
        } = held.clone();
        let Difference {
            added,
            changed,
            removed,
        } = difference;
        Self {
            at: at.millis(),
            reason,
            added,
            changed,
            removed,
        }
    }
}

pub(super) fn held(cells: &mut Cells) -> Result<Option<HeldChange>, Error> {
    let held: Option<Held> = cells.json_opt("catalog_held")?;
    Ok(held.map(|held| {
        let Held {
            at,
            reason,
            added,
            changed,
            removed,
        } = held;
        HeldChange {
            at: Time(at),
            reason,
            difference: Difference {
                added,
                changed,
                removed,
            },
        }
    }))
}
