//! Removes old events, and the oldest when there are too many. A task calls it at start and steadily.
//!
//! The rule: what is removed is always the beginning, and the highest revision removed is remembered in the
//! same transaction, so that a platform that was away for too long can be told. Touches do not count: nobody can have
//! missed them.

use crate::{Error, Store, Tx};
use qm_model::Time;

/// Rows that are removed in one go.
const STEP: i64 = 1_000;

/// One step of trimming.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trimmed {
    /// How many events were removed.
    pub removed: u64,
    /// Whether there may be more to remove.
    pub more: bool,
}

/// Removes some events from before `before`, and some of those that are more than `at_most`, lowest revision first. A
/// younger one ends it, also when older ones follow: clocks jump, the order of revisions does not.
///
/// # Errors
/// The database's.
pub async fn trim(store: &Store, before: Time, at_most: Option<u64>) -> Result<Trimmed, Error> {
    store
        .keep_house(async move |tx: &Tx<'_>| step(tx, before, at_most).await)
        .await
}

async fn step(tx: &Tx<'_>, before: Time, at_most: Option<u64>) -> Result<Trimmed, Error> {
    // Revisions have no gaps.
    let beyond = match at_most.map(i64::try_from) {
        Some(Ok(at_most)) => super::position(tx).await?.last - at_most,
        _ => 0,
    };
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
        let revision: i64 = row.get(0)?;
        if row.get::<i64>(1)? >= before.millis() && revision > beyond {
            break;
        }
        highest = Some(revision);
        let nobody: bool = row.get(2)?;
        if !nobody {
            told = highest;
        }
        old += 1;
    }
    let Some(highest) = highest else {
        return Ok(Trimmed {
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
    Ok(Trimmed {
        removed,
        more: i64::from(old) == STEP,
    })
}
