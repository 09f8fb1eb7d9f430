//! Removes records of operations that ended long ago, or of which there are too many. A task calls it now and then.
//!
//! The rule: the last operation of a resource that is still there stays, because clients are shown it, and so does
//! whatever belongs to a cascade that goes on. What may go is looked for outside of any writing transaction and looked
//! at again inside the one that removes it.

use crate::{Error, Store, Tx};
use qm_db::Dialect;
use qm_model::{Kind, Time};
use std::fmt::Write as _;
use std::sync::Arc;

/// Rows that are looked at in one go.
const STEP: i64 = 1_000;

/// Kinds whose rows an operation can be about.
const LIVING: [Kind; 7] = [
    Kind::Broker,
    Kind::Platform,
    Kind::Visibility,
    Kind::Offering,
    Kind::Plan,
    Kind::Instance,
    Kind::Binding,
];

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// What ended before may go.
    pub before: Time,
    /// What ended before and is about a resource that is gone may go.
    pub gone_before: Time,
    /// Of more than so many the oldest may go, whatever their age.
    pub at_most: Option<u64>,
}

/// Where a walk along the records is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    updated_at: i64,
    seq: i64,
}

impl Place {
    /// Before all of them.
    pub const START: Self = Self {
        updated_at: i64::MIN,
        seq: i64::MIN,
    };
}

/// How a walk along the records went on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expired {
    /// How many were removed.
    pub removed: u64,
    /// Where to go on; nothing at the end.
    pub next: Option<Place>,
}

/// One step of the walk: some more records are looked at, and those that may go are removed.
///
/// # Errors
/// The database's.
pub async fn expire(store: &Store, keep: Keep, from: Place) -> Result<Expired, Error> {
    let Seen { last, gone } = store
        .read(async move |tx: &Tx<'_>| {
            let beyond = beyond(tx, keep.at_most).await?;
            look(tx, keep, beyond, from).await
        })
        .await?;
    let removed = if gone.is_empty() {
        0
    } else {
        store
            .keep_house(async move |tx: &Tx<'_>| remove(tx, &gone).await)
            .await?
    };
    Ok(Expired {
        removed,
        next: last,
    })
}

/// One step: where it ended, and what may go.
struct Seen {
    last: Option<Place>,
    gone: Vec<i64>,
}

/// The youngest of those that are too many.
async fn beyond(tx: &Tx<'_>, at_most: Option<u64>) -> Result<Place, Error> {
    let Some(at_most) = at_most else {
        return Ok(Place::START);
    };
    // By the index of those that have ended, so no row has to be read.
    let row = tx
        .query_opt(
            "SELECT updated_at, seq FROM operation WHERE phase = 'done'
             ORDER BY updated_at DESC, seq DESC LIMIT 1 OFFSET $1",
            &[&i64::try_from(at_most).unwrap_or(i64::MAX)],
        )
        .await?;
    match row {
        None => Ok(Place::START),
        Some(row) => Ok(Place {
            updated_at: row.get(0)?,
            seq: row.get(1)?,
        }),
    }
}

async fn look(tx: &Tx<'_>, keep: Keep, beyond: Place, from: Place) -> Result<Seen, Error> {
    let there = there();
    let text = format!(
        "SELECT t.updated_at, t.seq, {there}, {} FROM operation t
         WHERE t.phase = 'done' AND (t.updated_at, t.seq) > ($1, $2) AND (t.updated_at, t.seq) <= ($3, $4)
         ORDER BY t.updated_at, t.seq LIMIT $5",
        stays(&there)
    );
    let Keep {
        before,
        gone_before,
        at_most: _,
    } = keep;
    // One end, so that the walk along the index has one.
    let end = beyond.max(Place {
        updated_at: before.max(gone_before).millis(),
        seq: i64::MIN,
    });
    let rows = tx
        .query(
            Arc::<str>::from(text),
            &[
                &from.updated_at,
                &from.seq,
                &end.updated_at,
                &end.seq,
                &STEP,
            ],
        )
        .await?;
    let mut seen = Seen {
        last: None,
        gone: Vec::new(),
    };
    for row in rows {
        let place = Place {
            updated_at: row.get(0)?,
            seq: row.get(1)?,
        };
        seen.last = Some(place);
        let (there, stays): (bool, bool) = (row.get(2)?, row.get(3)?);
        let limit = if there { before } else { gone_before };
        let old = place.updated_at < limit.millis() || place <= beyond;
        if old && !stays {
            seen.gone.push(place.seq);
        }
    }
    Ok(seen)
}

async fn remove(tx: &Tx<'_>, seqs: &[i64]) -> Result<u64, Error> {
    let list = serde_json::Value::from(seqs).to_string();
    let among = match tx.dialect() {
        Dialect::Sqlite => "SELECT e.value FROM json_each($1) e",
        Dialect::Postgres => "SELECT e::bigint FROM jsonb_array_elements_text($1::jsonb) e",
    };
    let text = format!(
        "DELETE FROM operation WHERE seq IN (SELECT t.seq FROM operation t WHERE t.seq IN ({among}) AND NOT {})",
        stays(&there())
    );
    tx.execute(Arc::<str>::from(text), &[&list]).await
}

/// Whether the resource of `t` is still there.
fn there() -> String {
    let mut there = String::new();
    for (n, kind) in LIVING.into_iter().enumerate() {
        let or = if n == 0 { "" } else { " OR " };
        let _ = write!(
            there,
            "{or}(t.resource_type = '{}' AND EXISTS (SELECT 1 FROM {} r WHERE r.id = t.resource_id))",
            kind.path(),
            kind.noun(),
        );
    }
    format!("({there})")
}

/// Whether `t` is the last operation of a resource that is still there, or of a cascade that goes on.
fn stays(there: &str) -> String {
    format!(
        "(({there} AND NOT EXISTS (SELECT 1 FROM operation n WHERE {} = t.resource_type \
         AND n.resource_id = t.resource_id AND n.seq > t.seq)) \
         OR (t.cascade_root_id IS NOT NULL AND EXISTS (SELECT 1 FROM operation c WHERE c.id = t.cascade_root_id \
         AND c.phase <> 'done')))",
        super::of_kind("n")
    )
}
