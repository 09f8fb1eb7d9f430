//! Operations of a cascade: a node waits until what depends on its resource is gone, and then its own turn comes. The
//! cascades of `lifecycle` call this.
//!
//! The rule: a tree has no other memory than its rows. What was begun in it is found by the root's id, what is still to
//! be done by what is still there ([`Branch`]); so whoever takes a node up knows all that its predecessor knew.

mod branch;

pub use branch::{Branch, Child, Left, Place};

use super::{Began, CASCADING, Held, NewOperation, lease};
use crate::operation::story;
use crate::{Error, Store, Tx};
use qm_model::Time;
use qm_model::id::{BrokerId, OperationId};

/// How far a tree or the children of a node are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Ended well.
    pub gone: u64,
    /// Ended badly.
    pub failed: u64,
    /// Not ended.
    pub open: u64,
    /// Of those: waiting for what depends on them.
    pub cascading: u64,
    /// Of those: the broker is being called for the first time, or is about to be.
    pub calling: u64,
}

/// Stores a node, if nothing else is being done to the resource.
///
/// # Errors
/// The database's.
pub async fn insert(tx: &Tx<'_>, new: &NewOperation) -> Result<Began, Error> {
    super::insert_in(tx, new, CASCADING).await
}

/// Says how far a node is, and until when it is held; the root's operation is what people look at.
///
/// # Errors
/// [`Error::Fenced`] when the lease is lost.
pub async fn progress(
    store: &Store,
    held: &Held,
    description: &str,
    step: Option<&str>,
    now: Time,
    until: Time,
) -> Result<(), Error> {
    let Held { id, fence, owner } = held;
    let step = step.map(|what| story::step(now, what)).transpose()?;
    let written = store
        .db
        .execute(
            "UPDATE operation SET state = 'in progress', description = $4, updated_at = $5, lease_until = $6,
                steps = COALESCE(steps || ',' || $7, $7, steps)
             WHERE id = $1 AND fence = $2 AND lease_owner = $3 AND phase = 'cascading'",
            vec![
                id.as_str().into(),
                (*fence).into(),
                owner.into(),
                description.into(),
                now.millis().into(),
                until.millis().into(),
                step.into(),
            ],
        )
        .await?;
    lease::still(written)
}

/// Lets go of a node until it is due.
///
/// # Errors
/// [`Error::Fenced`] when the lease is lost.
pub async fn rest(store: &Store, held: &Held, due: Time) -> Result<(), Error> {
    let Held { id, fence, owner } = held;
    let written = store
        .db
        .execute(
            "UPDATE operation SET lease_owner = NULL, lease_until = NULL, due_at = $4, attempts = attempts + 1
             WHERE id = $1 AND fence = $2 AND lease_owner = $3 AND phase = 'cascading'",
            vec![
                id.as_str().into(),
                (*fence).into(),
                owner.into(),
                due.millis().into(),
            ],
        )
        .await?;
    lease::still(written)
}

/// What depends on a node is gone: its broker is called next, with this to go on by. The lease stays.
///
/// # Errors
/// [`Error::Fenced`] when the lease is lost; return it, and nothing is done.
pub async fn queue(
    tx: &Tx<'_>,
    held: &Held,
    broker: &BrokerId,
    work: &[u8],
    deadline: Option<Time>,
    now: Time,
) -> Result<(), Error> {
    let Held { id, fence, owner } = held;
    let work = tx.seal(&lease::place(id), work)?;
    let written = tx
        .execute(
            "UPDATE operation SET phase = 'queued', state = 'in progress', description = '', broker_id = $4, work = $5,
                attempts = 0, deadline = $6, updated_at = $7
             WHERE id = $1 AND fence = $2 AND lease_owner = $3 AND phase = 'cascading'",
            &[
                &id.as_str(),
                fence,
                owner,
                &broker.as_str(),
                &work,
                &deadline.map(Time::millis),
                &now.millis(),
            ],
        )
        .await?;
    lease::still(written)
}

/// How far a tree is, the root itself not counted.
///
/// # Errors
/// The database's.
pub async fn tally(tx: &Tx<'_>, root: &OperationId) -> Result<Tally, Error> {
    let rows = tx
        .query(
            "SELECT phase, state, attempts = 0, count(*) FROM operation
             WHERE cascade_root_id = $1 AND id <> $1 GROUP BY phase, state, attempts = 0",
            &[&root.as_str()],
        )
        .await?;
    counted(rows)
}

/// How many operations of a tree have not ended, the root itself not counted.
///
/// # Errors
/// The database's.
pub async fn open(tx: &Tx<'_>, root: &OperationId) -> Result<Tally, Error> {
    let rows = tx
        .query(
            "SELECT phase, '', attempts = 0, count(*) FROM operation
             WHERE cascade_root_id = $1 AND phase IN ('queued', 'cascading', 'intent', 'polling', 'mitigating')
                AND id <> $1
             GROUP BY phase, attempts = 0",
            &[&root.as_str()],
        )
        .await?;
    counted(rows)
}

/// How many children of a node have not ended.
///
/// # Errors
/// The database's.
pub async fn open_children(tx: &Tx<'_>, parent: &OperationId) -> Result<Tally, Error> {
    let rows = tx
        .query(
            "SELECT phase, '', attempts = 0, count(*) FROM operation
             WHERE parent_id = $1 AND phase IN ('queued', 'cascading', 'intent', 'polling', 'mitigating')
             GROUP BY phase, attempts = 0",
            &[&parent.as_str()],
        )
        .await?;
    counted(rows)
}

fn counted(rows: Vec<qm_db::Row>) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    for row in rows {
        let (phase, state): (String, String) = (row.get(0)?, row.get(1)?);
        let (first, many): (bool, u64) = (row.get(2)?, row.get(3)?);
        match phase.as_str() {
            "done" if state == "succeeded" => tally.gone += many,
            "done" => tally.failed += many,
            phase => {
                tally.open += many;
                match phase {
                    "cascading" => tally.cascading += many,
                    "queued" | "intent" if first => tally.calling += many,
                    _ => {}
                }
            }
        }
    }
    Ok(tally)
}
