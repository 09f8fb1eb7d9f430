//! Stores one intent in a transaction of its own.

use super::cells::{BINDING, CONSTANT, Cells, INSTANCE, OPERATION, Row, names};
use super::{Stop, refusing};
use crate::deed::{Intent, params};
use crate::ended::Ended;
use crate::operation::called_off;
use crate::{Error, Store, Tx, count, label, reference, share};
use qm_db::Param;
use qm_model::id::InstanceId;
use qm_model::operation::{Operation, State};
use qm_model::{Kind, Time};
use std::sync::{Arc, LazyLock};

/// How many of those that refer to it are named.
const NAMED: u32 = 51;

/// Where a binding's cells name its instance.
const BINDING_OF: usize = 2;

const CANCELLED: &str = "cancelled by a delete";

/// The operation, if nothing else is being done to the resource. Plain values here and below: for what is selected, and
/// for `RETURNING`, SQLite copies every page that the statement changes.
static BEGIN: LazyLock<Arc<str>> = LazyLock::new(|| {
    let (columns, values) = CONSTANT;
    Arc::from(format!(
        "INSERT INTO operation ({}, {columns}) VALUES ({}, {values})
         ON CONFLICT (resource_type, resource_id) WHERE phase <> 'done' DO NOTHING",
        names(&OPERATION, ""),
        numbers(OPERATION.len()),
    ))
});

static MAKE_INSTANCE: LazyLock<Arc<str>> = LazyLock::new(|| {
    Arc::from(format!(
        "INSERT INTO instance ({}) VALUES ({}) ON CONFLICT (id) DO NOTHING",
        names(&INSTANCE, ""),
        numbers(INSTANCE.len()),
    ))
});

static MAKE_BINDING: LazyLock<Arc<str>> = LazyLock::new(|| {
    Arc::from(format!(
        "INSERT INTO binding ({}, platform_id) VALUES ({}) ON CONFLICT (id) DO NOTHING",
        names(&BINDING, ""),
        numbers(BINDING.len() + 1),
    ))
});

static TERMINATING: LazyLock<Arc<str>> =
    LazyLock::new(|| Arc::from(format!("SELECT {}", refusing("$1", "$2", "$3"))));

fn numbers(many: usize) -> String {
    let numbers: Vec<String> = (1..=many).map(|n| format!("${n}")).collect();
    numbers.join(", ")
}

pub(super) async fn run(store: &Store, cells: Arc<Cells>, intent: &Intent) -> Result<(), Stop> {
    let (over, name_key) = (intent.over.clone(), intent.name_key.clone());
    let (tenant, unreferenced) = (intent.tenant.clone(), intent.unreferenced);
    let Operation {
        verb,
        resource_kind: kind,
        resource_id: id,
        platform_id,
        updated_at: now,
        ..
    } = intent.operation.clone();
    store
        .keep_house(async move |tx: &Tx<'_>| {
            if let Some((other, fence)) = over {
                cancel(tx, (other.as_str(), fence), (kind, &id), now).await?;
            }
            let asked: [&dyn Param; 3] = [&platform_id.as_str(), &tenant, &verb.word()];
            let leaving = tx.query_opt(Arc::clone(&TERMINATING), &asked).await?;
            if let Stop::Terminating = stop(leaving)? {
                return Err(Stop::Terminating);
            }
            let given = params(&cells.operation);
            if tx.execute(Arc::clone(&BEGIN), &given).await? == 0 {
                return Err(Stop::Taken);
            }
            if unreferenced {
                alone(tx, &id).await?;
            }
            if let (Row::None, Some(key)) = (&cells.row, &name_key) {
                let text = "UPDATE instance SET name_key = $2 WHERE id = $1";
                tx.execute(text, &[&id, key]).await.map_err(named)?;
            }
            if make(tx, &cells.row, &id).await.map_err(named)? {
                Ok(())
            } else {
                Err(Stop::Taken)
            }
        })
        .await
}

/// A unique key that is not the id is the name's.
fn named(error: Error) -> Stop {
    match error {
        Error::Database(qm_db::Error::Unique { .. }) => Stop::NameTaken,
        other => Stop::Failed(other),
    }
}

/// Why the statement that serves many did not serve this one.
pub(super) async fn why_not(store: &Store, intent: &Intent) -> Stop {
    let Operation {
        verb, platform_id, ..
    } = &intent.operation;
    let asked = vec![
        platform_id.as_str().into(),
        intent.tenant.as_deref().into(),
        verb.word().into(),
    ];
    let rows = store.db.query(Arc::clone(&TERMINATING), asked).await;
    let row = rows.map_err(Error::from).map(|mut rows| rows.pop());
    row.and_then(stop).unwrap_or_else(Stop::Failed)
}

fn stop(terminating: Option<qm_db::Row>) -> Result<Stop, Error> {
    match terminating.map(|row| row.get(0)).transpose()? {
        Some(true) => Ok(Stop::Terminating),
        _ => Ok(Stop::Taken),
    }
}

/// Ends what is being done to the same resource, if nobody has taken it up since.
async fn cancel(
    tx: &Tx<'_>,
    over: (&str, i64),
    resource: (Kind, &str),
    now: Time,
) -> Result<(), Stop> {
    let (id, fence) = over;
    let (kind, resource_id) = resource;
    let errors = called_off(CANCELLED);
    let ended = tx
        .query_opt(
            "UPDATE operation SET phase = 'done', state = $5, description = $6, errors = COALESCE(errors, $7),
                updated_at = $8, work = NULL, lease_owner = NULL, lease_until = NULL
             WHERE id = $1 AND fence = $2 AND resource_type = $3 AND resource_id = $4 AND phase <> 'done'
             RETURNING type",
            &[
                &id,
                &fence,
                &kind.path(),
                &resource_id,
                &State::Failed.word(),
                &CANCELLED,
                &errors,
                &now.millis(),
            ],
        )
        .await?;
    let Some(row) = ended else {
        return Err(Stop::Taken);
    };
    let verb = crate::cells::Cells::new("operation", row)
        .word("type", qm_model::operation::Verb::from_word)?;
    tx.note(Ended {
        kind,
        verb,
        state: State::Failed,
    });
    Ok(())
}

/// Whether nothing refers to an instance. Whoever is about to refer to it takes hold of its row as well, so one of the
/// two sees the other.
async fn alone(tx: &Tx<'_>, id: &str) -> Result<(), Stop> {
    let id = InstanceId::stored(id.to_owned());
    share::hold(tx, &id).await?;
    let by = reference::ids(tx, &id, NAMED).await?;
    match by.is_empty() {
        true => Ok(()),
        false => Err(Stop::Referenced(by)),
    }
}

/// Makes the row. False: its id is taken, or its instance is gone.
async fn make(tx: &Tx<'_>, row: &Row, id: &str) -> Result<bool, Error> {
    let (kind, labels, made) = match row {
        Row::None => return Ok(true),
        Row::Instance(cells, labels) => {
            let given = params(cells);
            let made = tx.execute(Arc::clone(&MAKE_INSTANCE), &given).await?;
            (Kind::Instance, labels, made)
        }
        Row::Binding(cells, labels) => {
            let instance = cells.get(BINDING_OF);
            let found = tx
                .query_opt(
                    "SELECT platform_id FROM instance WHERE id = $1",
                    &[&instance],
                )
                .await?;
            let Some(found) = found else { return Ok(false) };
            let platform: String = found.get(0)?;
            let mut given = params(cells);
            given.push(&platform);
            let made = tx.execute(Arc::clone(&MAKE_BINDING), &given).await?;
            (Kind::Binding, labels, made)
        }
    };
    if made == 0 {
        return Ok(false);
    }
    count::more(tx, kind).await?;
    if !labels.is_empty() {
        let seq = match kind {
            Kind::Binding => "SELECT seq FROM binding WHERE id = $1",
            _ => "SELECT seq FROM instance WHERE id = $1",
        };
        let row = tx.query_opt(seq, &[&id]).await?;
        let seq = row.map(|row| row.get(0)).transpose()?.unwrap_or_default();
        label::insert(tx, kind, seq, id, labels).await?;
    }
    Ok(true)
}
