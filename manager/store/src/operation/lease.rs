//! Who works on an operation. Workers claim what is due; the one who began it holds it from the start.
//!
//! The rule: every claim raises the fence, and every write under a lease names the fence it got. Whoever
//! lost a lease while asleep has an old number and is refused.

use super::{DONE, Phase};
use crate::cells::{Cells, json_opt};
use crate::resource::Table;
use crate::{Error, Store, Tx};
use qm_db::Dialect;
use qm_db::Row;
use qm_db::lease::{Lease, Leases, Work};
use qm_db::seal::KeyRing;
use qm_model::Time;
use qm_model::id::{BrokerId, OperationId};
use qm_model::operation::{Operation, State};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The right to work on an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// On which.
    pub id: OperationId,
    /// The number that every write names.
    pub fence: i64,
    /// Who has it.
    pub owner: String,
}

const WORK: Work = Work {
    table: "operation",
    key: &["id"],
    ready: "phase <> 'done'",
    columns: &COLUMNS,
};

/// What a claim brings along: the operation and what is needed to go on with it.
pub(crate) const COLUMNS: [&str; Operation::COLUMNS.len() + 5] = {
    let mut columns = [""; Operation::COLUMNS.len() + 5];
    let mut n = 0;
    while n < Operation::COLUMNS.len() {
        columns[n] = Operation::COLUMNS[n];
        n += 1;
    }
    columns[n] = "work";
    columns[n + 1] = "keep_on_failure";
    columns[n + 2] = "phase";
    columns[n + 3] = "broker_id";
    columns[n + 4] = "broker_operation";
    columns
};

/// An operation that was claimed, with what is needed to go on.
#[derive(Clone, PartialEq)]
pub struct Taken {
    /// The right to work on it.
    pub held: Held,
    /// As clients see it.
    pub operation: Operation,
    /// What a worker needs to go on.
    pub work: Vec<u8>,
    /// The resource stays when its creation failed.
    pub keep_on_failure: bool,
    /// How far it is.
    pub phase: Phase,
    /// Which broker is called, if one is.
    pub broker_id: Option<BrokerId>,
    /// What the broker calls it.
    pub broker_operation: Option<String>,
}

/// Without the work, which may hold secrets.
impl fmt::Debug for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Taken")
            .field("held", &self.held)
            .field("operation", &self.operation)
            .field("phase", &self.phase)
            .finish_non_exhaustive()
    }
}

impl Taken {
    /// Takes apart a row of [`COLUMNS`].
    pub(crate) fn read(keys: &KeyRing, row: Row, fence: i64, owner: String) -> Result<Self, Error> {
        let mut cells = Cells::new("operation", row);
        let operation = Operation::read(&mut cells)?;
        let sealed: Option<Vec<u8>> = cells.take("work")?;
        Ok(Self {
            work: match sealed {
                Some(sealed) => keys.open(&place(&operation.id), &sealed)?.to_vec(),
                None => Vec::new(),
            },
            keep_on_failure: cells.take("keep_on_failure")?,
            phase: cells.word("phase", Phase::from_word)?,
            broker_id: cells.text_opt("broker_id")?.map(BrokerId::stored),
            broker_operation: cells.text_opt("broker_operation")?,
            held: Held {
                id: operation.id.clone(),
                fence,
                owner,
            },
            operation,
        })
    }
}

/// Claims up to `limit` operations that are due and that nobody works on, until `until`.
///
/// # Errors
/// The database's.
pub async fn claim(
    store: &Store,
    owner: &str,
    now: Time,
    until: Time,
    limit: u32,
) -> Result<Vec<Taken>, Error> {
    let leases = Leases::new(store.db.dialect(), WORK);
    let claimed = leases
        .claim(&store.db, owner, now.millis(), until.millis(), limit)
        .await?;
    let keys = store.keys();
    claimed
        .into_iter()
        .map(|claimed| {
            let Lease {
                key: _,
                fence,
                owner,
                row,
            } = claimed;
            Taken::read(&keys, row, fence, owner)
        })
        .collect()
}

/// What time it is by the database's clock, which all replicas share; `None` for a database without one.
///
/// # Errors
/// The database's.
pub async fn time(store: &Store) -> Result<Option<Time>, Error> {
    match store.db.dialect() {
        Dialect::Sqlite => Ok(None),
        Dialect::Postgres => {
            let asked = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
            let rows = store.db.query(asked, Vec::new()).await?;
            let millis = rows.first().map(|row| row.get(0)).transpose()?;
            Ok(millis.map(Time))
        }
    }
}

/// Ends leases that would last until after `beyond`: longer than anybody takes one. They were taken by a clock that was
/// set back since, and nobody would take up that work for as long. Says how many there were.
///
/// # Errors
/// The database's.
pub async fn void(store: &Store, now: Time, beyond: Time) -> Result<u64, Error> {
    let sql = "UPDATE operation SET lease_owner = NULL, lease_until = NULL, due_at = $1
        WHERE phase <> 'done' AND lease_until > $2";
    let params = vec![now.millis().into(), beyond.millis().into()];
    Ok(store.db.execute(sql, params).await?)
}

/// Makes due at once what nobody holds and what is due only after `beyond`: nothing is put off for so long, so the clock
/// was set back since. Says how many there were.
///
/// # Errors
/// The database's.
pub async fn hasten(store: &Store, now: Time, beyond: Time) -> Result<u64, Error> {
    let sql = "UPDATE operation SET due_at = $1
        WHERE phase <> 'done' AND due_at > $2 AND (lease_until IS NULL OR lease_until <= $1)";
    let params = vec![now.millis().into(), beyond.millis().into()];
    Ok(store.db.execute(sql, params).await?)
}

/// Ends all leases on a file that nobody else has open. Called at the start, so that work that was cut off is taken up
/// at once. Where several replicas share a server nothing is done. Says how many there were.
///
/// # Errors
/// The database's.
pub async fn release_all(store: &Store) -> Result<u64, Error> {
    match store.db.dialect() {
        Dialect::Postgres => Ok(0),
        Dialect::Sqlite => {
            let sql = "UPDATE operation SET lease_owner = NULL, lease_until = NULL
                WHERE phase <> 'done' AND lease_owner IS NOT NULL";
            Ok(store.db.execute(sql, Vec::new()).await?)
        }
    }
}

/// Keeps an operation for longer.
///
/// # Errors
/// [`Error::Fenced`] when the lease is lost.
pub async fn renew(store: &Store, held: &Held, until: Time) -> Result<(), Error> {
    let Held { id, fence, owner } = held;
    let renewed = store
        .db
        .execute(
            "UPDATE operation SET lease_until = $4 WHERE id = $1 AND fence = $2 AND lease_owner = $3",
            vec![
                id.as_str().into(),
                (*fence).into(),
                owner.into(),
                until.millis().into(),
            ],
        )
        .await?;
    still(renewed)
}

/// Says that what is queued begins now: from here on nobody knows whether the broker was called.
///
/// # Errors
/// [`Error::Fenced`] when the lease is lost.
pub async fn launch(store: &Store, held: &Held, until: Time) -> Result<(), Error> {
    let Held { id, fence, owner } = held;
    let launched = store
        .db
        .execute(
            "UPDATE operation SET phase = 'intent', lease_until = $4
             WHERE id = $1 AND fence = $2 AND lease_owner = $3 AND phase = 'queued'",
            vec![
                id.as_str().into(),
                (*fence).into(),
                owner.into(),
                until.millis().into(),
            ],
        )
        .await?;
    still(launched)
}

/// Makes sure, as part of a transaction, that the lease is still held, and that nobody can claim the
/// operation before the transaction ends.
///
/// # Errors
/// [`Error::Fenced`] when the lease is lost; return it, and nothing is done.
pub async fn hold(tx: &Tx<'_>, held: &Held) -> Result<(), Error> {
    let Held { id, fence, owner } = held;
    let still_held = tx
        .execute(
            "UPDATE operation SET fence = fence WHERE id = $1 AND fence = $2 AND lease_owner = $3",
            &[&id.as_str(), fence, owner],
        )
        .await?;
    still(still_held)
}

/// Calls off an operation that nobody works on, in the transaction of what takes its place. False: somebody took it up,
/// or it has ended.
///
/// # Errors
/// The database's.
pub async fn call_off(
    tx: &Tx<'_>,
    id: &OperationId,
    fence: i64,
    why: &str,
    (now, lease_now): (Time, Time),
) -> Result<bool, Error> {
    let errors = super::called_off(why);
    let text = format!(
        "UPDATE operation AS t SET phase = $3, state = $4, description = $5, errors = COALESCE(errors, $6),
            updated_at = $7, fence = fence + 1, work = NULL, lease_owner = NULL, lease_until = NULL
         WHERE t.id = $1 AND t.fence = $2 AND t.phase <> 'done' AND (t.lease_until IS NULL OR t.lease_until <= $8)
         RETURNING {}",
        Operation::COLUMNS.join(", ")
    );
    let ended = tx
        .query_opt(
            Arc::<str>::from(text),
            &[
                &id.as_str(),
                &fence,
                &DONE,
                &State::Failed.word(),
                &why,
                &errors,
                &now.millis(),
                &lease_now.millis(),
            ],
        )
        .await?;
    match ended {
        Some(row) => {
            tx.note_ended(&Operation::read(&mut Cells::new("operation", row))?);
            Ok(true)
        }
        None => Ok(false),
    }
}

/// Ends all that a node of a cascade has begun below it and that no broker was called for yet. Whoever holds one of them
/// finds its fence outdated.
///
/// # Errors
/// The database's.
pub async fn call_off_below(
    tx: &Tx<'_>,
    node: &OperationId,
    why: &str,
    now: Time,
) -> Result<(), Error> {
    let errors = super::called_off(why);
    let text = format!(
        "WITH RECURSIVE below (id) AS (
            SELECT o.id FROM operation o WHERE o.parent_id = $1
            UNION ALL SELECT o.id FROM operation o JOIN below b ON o.parent_id = b.id)
         UPDATE operation AS t SET phase = $2, state = $3, description = $4, errors = COALESCE(errors, $5),
            updated_at = $6, fence = fence + 1, work = NULL, lease_owner = NULL, lease_until = NULL
         WHERE t.id IN (SELECT b.id FROM below b) AND t.phase IN ('queued', 'cascading')
         RETURNING {}",
        Operation::COLUMNS.join(", ")
    );
    let ended = tx
        .query(
            Arc::<str>::from(text),
            &[
                &node.as_str(),
                &DONE,
                &State::Failed.word(),
                &why,
                &errors,
                &now.millis(),
            ],
        )
        .await?;
    for row in ended {
        tx.note_ended(&Operation::read(&mut Cells::new("operation", row))?);
    }
    Ok(())
}

/// The operation has ended, in the transaction that stores its outcome; gives it as it is then. What was
/// needed to go on is erased.
///
/// # Errors
/// [`Error::Fenced`] when the lease is lost; return it, and nothing is done.
pub async fn finish(
    tx: &Tx<'_>,
    held: &Held,
    state: State,
    errors: Option<&Value>,
    description: &str,
    now: Time,
) -> Result<Operation, Error> {
    let Held { id, fence, owner } = held;
    let text = format!(
        "UPDATE operation AS t SET phase = $4, state = $5, errors = $6, description = $7, updated_at = $8,
            work = NULL, lease_owner = NULL, lease_until = NULL
         WHERE t.id = $1 AND t.fence = $2 AND t.lease_owner = $3 RETURNING {}",
        Operation::COLUMNS.join(", ")
    );
    let finished = tx
        .query_opt(
            Arc::<str>::from(text),
            &[
                &id.as_str(),
                fence,
                owner,
                &DONE,
                &state.word(),
                &json_opt(errors)?,
                &description,
                &now.millis(),
            ],
        )
        .await?;
    match finished {
        Some(row) => {
            let operation = Operation::read(&mut Cells::new("operation", row))?;
            tx.note_ended(&operation);
            Ok(operation)
        }
        None => Err(Error::Fenced),
    }
}

pub(crate) fn place(id: &OperationId) -> [&str; 3] {
    ["operation", id.as_str(), "work"]
}

pub(super) fn still(rows: u64) -> Result<(), Error> {
    if rows == 0 {
        Err(Error::Fenced)
    } else {
        Ok(())
    }
}
