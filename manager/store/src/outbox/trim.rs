//! Removes old events. A task calls it at start and steadily.
//!
//! The rule: what is removed is always the beginning, and the highest revision removed is remembered in the
//! same transaction, so that a platform that was away for too long can be told. Touches do not count: nobody can have
//! missed them.

use crate::{Error, Store, Tx};
use qm_model::Time;

/// Rows that are removed in one go.
const STEP: i64 = 1_000;

/// Removes events from before `before`, lowest revision first, and says how many. A younger one ends it, also
/// when older ones follow: clocks jump, the order of revisions does not.
///
/// # Errors
/// The database's.
pub async fn trim(store: &Store, before: Time) -> Result<u64, Error> {
    let mut removed = 0;
    loop {
        let step = store
            .keep_house(async move |tx: &Tx<'_>| step(tx, before).await)
            .await?;
        removed += step.removed;
        if !step.more {
            return Ok(removed);
        }
    }
}

struct Step {
    removed: u64,
    more: bool,
}

async fn step(tx: &Tx<'_>, before: Time) -> Result<Step, Error> {
    let rows = tx
        .query(
            "SELECT revision, created_at, audience = '{\"only\":[]}' FROM event WHERE revision > 0
             ORDER BY revision LIMIT $1",
            &[&STEP],
        )
        .await?;
    let mut highest: Option<i64> = None;
    let mut told: Option<i64> = None;
    let mut old = 0;
    for row in &rows {
        if row.get::<i64>(1)? >= before.millis() {
            break;
        }
        highest = Some(row.get(0)?);
        let nobody: bool = row.get(2)?;
        if !nobody {
            told = highest;
        }
        old += 1;
    }
    let Some(highest) = highest else {
        return Ok(Step {
            removed: 0,
            more: false,
        });
    };
    let removed = tx
        .execute("DELETE FROM event WHERE revision <= $1", &[&highest])
        .await?;
    if let Some(told) = told {
        tx.execute(
            "UPDATE outbox SET trimmed = $1 WHERE id = 1 AND trimmed < $1",
            &[&told],
        )
        .await?;
    }
    Ok(Step {
        removed,
        more: i64::from(old) == STEP,
    })
}
