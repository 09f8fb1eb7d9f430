//! The outbox: what platforms are told, in commit order. Deeds append; the stream reads.
//!
//! The rule: a revision says that everything below it can be read. Where several write at once (PostgreSQL)
//! it is given after the commit, by [`sequence()`]; where one writes at a time (SQLite) the order of writing is
//! the order of commits, and the row has it from the start.

pub(crate) mod audience;
mod sequence;
pub(crate) mod touch;
mod touched;
mod trim;

pub use sequence::sequence;
pub(crate) use touch::Touches;
pub use touched::{Touched, touched_after};
pub use trim::{Trimmed, trim};

use crate::cells::Cells;
use crate::{Error, Tx};
use qm_db::{Dialect, Param};
use qm_model::event::{Audience, Change, Event, NewEvent};
use qm_model::id::{BrokerId, EventId};
use qm_model::{Kind, Time};
use std::sync::Arc;

const COLUMNS: &str = "revision, id, resource_type, resource_id, change, audience, payload, correlation_id, created_at";

/// Where the outbox begins and ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The last revision given; 0 when none was.
    pub last: i64,
    /// The highest revision removed that somebody was told of; 0 when none was.
    pub trimmed: i64,
}

/// Stores an event, in the transaction that changes the resource.
///
/// # Errors
/// The database's.
pub async fn append(tx: &Tx<'_>, event: &NewEvent, now: Time) -> Result<(), Error> {
    let NewEvent {
        id,
        resource,
        resource_id,
        change,
        audience,
        payload,
        correlation_id,
        broker,
    } = event;
    // On SQLite the row's own number is its revision.
    tx.execute(
        "INSERT INTO event (id, resource_type, resource_id, change, audience, payload, correlation_id, broker_id,
            created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &[
            &id.as_str(),
            &resource.path(),
            resource_id,
            &change.word(),
            &audience::write(audience)?,
            payload,
            correlation_id,
            &broker.as_ref().map(BrokerId::as_str),
            &now.millis(),
        ],
    )
    .await?;
    tx.touches().told(broker.as_ref(), now);
    tx.note_appended();
    Ok(())
}

/// Where the outbox begins and ends.
///
/// # Errors
/// The database's.
pub async fn position(tx: &Tx<'_>) -> Result<Position, Error> {
    let text = match tx.dialect() {
        Dialect::Sqlite => {
            "SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0), trimmed
             FROM outbox WHERE id = 1"
        }
        Dialect::Postgres => "SELECT last, trimmed FROM outbox WHERE id = 1",
    };
    match tx.query_opt(text, &[]).await? {
        Some(row) => Ok(Position {
            last: row.get(0)?,
            trimmed: row.get(1)?,
        }),
        None => Err(Error::Form {
            table: "outbox",
            column: "last",
        }),
    }
}

/// Up to `limit` events after a revision, in order.
///
/// # Errors
/// The database's.
pub async fn after(tx: &Tx<'_>, revision: i64, limit: u32) -> Result<Vec<Event>, Error> {
    let condition = "revision > $1 ORDER BY revision LIMIT $2";
    events(tx, condition, &[&revision, &limit]).await
}

/// The same without their content: who is told of which revision.
///
/// # Errors
/// The database's.
pub async fn headers_after(
    tx: &Tx<'_>,
    revision: i64,
    limit: u32,
) -> Result<Vec<(i64, Audience)>, Error> {
    let rows = tx
        .query(
            "SELECT revision, audience FROM event WHERE revision > $1 ORDER BY revision LIMIT $2",
            &[&revision, &limit],
        )
        .await?;
    rows.into_iter()
        .map(|row| {
            let mut cells = Cells::new("event", row);
            Ok((cells.take("revision")?, audience::read(&mut cells)?))
        })
        .collect()
}

/// The events with these revisions, in order; those that are gone are left out.
///
/// # Errors
/// The database's.
pub async fn by_revisions(tx: &Tx<'_>, revisions: &[i64]) -> Result<Vec<Event>, Error> {
    let list = serde_json::Value::from(revisions).to_string();
    let condition = match tx.dialect() {
        Dialect::Sqlite => "revision IN (SELECT e.value FROM json_each($1) e) ORDER BY revision",
        Dialect::Postgres => {
            "revision IN (SELECT e::bigint FROM jsonb_array_elements_text($1::jsonb) e) ORDER BY revision"
        }
    };
    events(tx, condition, &[&list]).await
}

/// The event with this id, if platforms can have been told of it.
///
/// # Errors
/// The database's.
pub async fn by_id(tx: &Tx<'_>, id: &EventId) -> Result<Option<Event>, Error> {
    let condition = "id = $1 AND revision IS NOT NULL";
    Ok(events(tx, condition, &[&id.as_str()]).await?.pop())
}

async fn events(tx: &Tx<'_>, condition: &str, params: &[&dyn Param]) -> Result<Vec<Event>, Error> {
    let text = format!("SELECT {COLUMNS} FROM event WHERE {condition}");
    let rows = tx.query(Arc::<str>::from(text), params).await?;
    rows.into_iter()
        .map(|row| {
            let mut cells = Cells::new("event", row);
            Ok(Event {
                revision: cells.take("revision")?,
                id: EventId::stored(cells.text("id")?),
                resource: cells.word("resource_type", Kind::from_path)?,
                resource_id: cells.text("resource_id")?,
                change: cells.word("change", Change::from_word)?,
                audience: audience::read(&mut cells)?,
                payload: Arc::from(cells.text("payload")?),
                correlation_id: cells.text("correlation_id")?,
                created_at: cells.time("created_at")?,
            })
        })
        .collect()
}
