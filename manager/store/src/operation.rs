//! The table of operations: what was done and what is being done. Every deed writes one.
//!
//! The rule: work that lasts is a row that is not done; one resource has at most one such row (the index
//! `operation_alone`), and whoever works on it holds a lease and names its fence in every write.

mod expire;
pub mod family;
mod lease;
mod look;
mod phase;
mod said;
pub(crate) mod story;

pub use expire::{Expired, Keep, Place as ExpiryPlace, expire};
pub(crate) use lease::{COLUMNS as TAKEN, place};
pub use lease::{
    Held, Taken, call_off, call_off_below, claim, finish, hasten, hold, launch, release_all, renew,
    time, void,
};
pub(crate) use look::of_kind;
pub use look::{counts, last_of, last_of_many, under_way};
pub use phase::Phase;
pub(crate) use said::place as said_place;
pub use said::{said, said_of_many};

use crate::cells::{Cells, json_opt};
use crate::resource::{Resource, Table};
use crate::{Error, Tx};
use qm_model::id::{OperationId, PlatformId};
use qm_model::operation::{Family, Operation, State, Verb};
use qm_model::{Kind, Time};

impl Resource for Operation {
    const KIND: Kind = Kind::Operation;

    fn id(&self) -> &str {
        self.id.as_str()
    }
}

impl Table for Operation {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "type",
        "state",
        "resource_type",
        "resource_id",
        "platform_id",
        "correlation_id",
        "description",
        "errors",
        "created_at",
        "updated_at",
        "deadline",
        "attempts",
        "due_at",
        "parent_id",
        "cascade_root_id",
        "steps",
        "first_error",
        "last_error",
        "deletion_scheduled",
        "phase",
    ];

    fn read(cells: &mut Cells) -> Result<Self, Error> {
        let mut operation = Self {
            id: OperationId::stored(cells.text("id")?),
            verb: cells.word("type", Verb::from_word)?,
            state: cells.word("state", State::from_word)?,
            resource_kind: cells.word("resource_type", Kind::from_path)?,
            resource_id: cells.text("resource_id")?,
            platform_id: PlatformId::stored(cells.text("platform_id")?),
            correlation_id: cells.text("correlation_id")?,
            description: cells.text("description")?,
            errors: cells.json_opt("errors")?,
            created_at: cells.time("created_at")?,
            updated_at: cells.time("updated_at")?,
            deadline: cells.time_opt("deadline")?,
            attempts: cells.take("attempts")?,
            due_at: Some(cells.time("due_at")?),
            family: Family {
                parent: cells.text_opt("parent_id")?.map(OperationId::stored),
                root: cells.text_opt("cascade_root_id")?.map(OperationId::stored),
            },
            story: story::read(cells)?,
        };
        if cells.text("phase")? == DONE {
            operation.due_at = None;
        }
        Ok(operation)
    }
}

/// Ended; nothing is left to do.
const DONE: &str = "done";

/// The word in the `errors` of an operation that was called off. Whoever goes on with a part of it looks for this word.
pub const CALLED_OFF: &str = "Cancelled";

/// What stands in `errors` then.
pub(crate) fn called_off(why: &str) -> String {
    serde_json::json!({"error": CALLED_OFF, "description": why}).to_string()
}

/// Stored; what follows may have begun or not.
const INTENT: &str = "intent";
/// What depends on it goes first.
const CASCADING: &str = "cascading";

/// Work that lasts, to be stored before it begins.
#[derive(Debug, Clone)]
pub struct NewOperation {
    /// As clients see it.
    pub operation: Operation,
    /// The tenant that asked, so that its people see it.
    pub tenant: Option<String>,
    /// What a worker needs to go on; sealed.
    pub work: Vec<u8>,
    /// Asked for asynchronously: the resource stays when its creation failed.
    pub keep_on_failure: bool,
    /// Who works on it at first.
    pub owner: String,
    /// Until when nobody else may.
    pub lease_until: Time,
}

/// Whether the work may begin.
#[derive(Debug, Clone, PartialEq)]
pub enum Began {
    /// It may, under this lease.
    Begun(Held),
    /// Something else is being done to the resource.
    Busy(Box<Operation>),
}

/// Stores work that lasts, if nothing else is being done to the resource.
///
/// # Errors
/// The database's.
pub async fn insert(tx: &Tx<'_>, new: &NewOperation) -> Result<Began, Error> {
    insert_in(tx, new, INTENT).await
}

/// The same, in any phase.
async fn insert_in(tx: &Tx<'_>, new: &NewOperation, phase: &'static str) -> Result<Began, Error> {
    let NewOperation {
        operation,
        tenant,
        work,
        keep_on_failure,
        owner,
        lease_until,
    } = new;
    let row = Row {
        tenant: tenant.as_deref(),
        phase,
        work: Some(tx.seal(&lease::place(&operation.id), work)?),
        keep_on_failure: *keep_on_failure,
        lease: Some((owner, *lease_until)),
    };
    if write(tx, operation, row).await? {
        return Ok(Began::Begun(Held {
            id: operation.id.clone(),
            fence: 1,
            owner: owner.clone(),
        }));
    }
    match under_way(tx, operation.resource_kind, &operation.resource_id).await? {
        Some(other) => Ok(Began::Busy(Box::new(other))),
        // Not the resource but the id was taken, and ids are random: a caller's mistake.
        None => Err(Error::Database(qm_db::Error::Unique {
            table: "operation".to_owned(),
            columns: "id".to_owned(),
            constraint: String::new(),
        })),
    }
}

/// Stores what was done at once, in the transaction that did it.
///
/// # Errors
/// The database's.
pub async fn record(tx: &Tx<'_>, operation: &Operation, tenant: Option<&str>) -> Result<(), Error> {
    let row = Row {
        tenant,
        phase: DONE,
        work: None,
        keep_on_failure: false,
        lease: None,
    };
    write(tx, operation, row).await?;
    tx.note_ended(operation);
    Ok(())
}

/// Removes an operation that has ended. False: there was none.
///
/// # Errors
/// The database's.
pub async fn delete(tx: &Tx<'_>, id: &OperationId) -> Result<bool, Error> {
    let gone = tx
        .execute(
            "DELETE FROM operation WHERE id = $1 AND phase = 'done'",
            &[&id.as_str()],
        )
        .await?;
    Ok(gone > 0)
}

/// What a row has beside the operation as clients see it.
struct Row<'a> {
    tenant: Option<&'a str>,
    phase: &'static str,
    work: Option<Vec<u8>>,
    keep_on_failure: bool,
    lease: Option<(&'a str, Time)>,
}

async fn write(tx: &Tx<'_>, operation: &Operation, row: Row<'_>) -> Result<bool, Error> {
    let Operation {
        id,
        verb,
        state,
        resource_kind,
        resource_id,
        platform_id,
        correlation_id,
        description,
        errors,
        created_at,
        updated_at,
        deadline,
        attempts,
        due_at,
        family: Family { parent, root },
        // It has not happened yet.
        story: _,
    } = operation;
    let Row {
        tenant,
        phase,
        work,
        keep_on_failure,
        lease,
    } = row;
    let written = tx
        .execute(
            "INSERT INTO operation (id, type, state, resource_type, resource_id, platform_id, correlation_id, tenant,
                description, errors, phase, work, keep_on_failure, deadline, attempts, ready, created_at, updated_at,
                lease_owner, lease_until, fence, due_at, parent_id, cascade_root_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, TRUE, $16, $17, $18, $19,
                $20, $21, $22, $23)
             ON CONFLICT DO NOTHING",
            &[
                &id.as_str(),
                &verb.word(),
                &state.word(),
                &resource_kind.path(),
                resource_id,
                &platform_id.as_str(),
                correlation_id,
                &tenant,
                description,
                &json_opt(errors.as_ref())?,
                &phase,
                &work,
                &keep_on_failure,
                &deadline.map(Time::millis),
                attempts,
                &created_at.millis(),
                &updated_at.millis(),
                &lease.map(|(owner, _)| owner),
                &lease.map(|(_, until)| until.millis()),
                &i64::from(lease.is_some()),
                &due_at.unwrap_or(*created_at).millis(),
                &parent.as_ref().map(OperationId::as_str),
                &root.as_ref().map(OperationId::as_str),
            ],
        )
        .await?;
    Ok(written > 0)
}
