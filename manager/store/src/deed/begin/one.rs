//! Stores one intent in a transaction of its own.

use super::cells::{BINDING, CONSTANT, Cells, INSTANCE, OPERATION, Row, names};
use super::{Stop, refusing};
use crate::deed::{Intent, params};
use crate::ended::Ended;
use crate::{Error, Store, Tx, label, reference, share};
use qm_db::Param;
use qm_model::id::InstanceId;
use qm_model::operation::{Operation, State};
use qm_model::{Kind, Time};
use serde_json::json;
use std::sync::{Arc, LazyLock};

/// How many of those that refer to it are named.
const NAMED: u32 = 51;

const CANCELLED: &str = "cancelled by a delete";

/// The operation, if nothing else is being done to the resource and the platform stays.
static BEGIN: LazyLock<Arc<str>> = LazyLock::new(|| {
    let (columns, values) = CONSTANT;
    Arc::from(format!(
        "INSERT INTO operation ({}, {columns}) SELECT {}, {values} WHERE NOT {}
         ON CONFLICT (resource_type, resource_id) WHERE phase <> 'done' DO NOTHING",
        names(&OPERATION, ""),
        numbers(OPERATION.len()),
        refusing("$6", "$8", "$2"),
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
        "INSERT INTO binding ({}, platform_id) SELECT {}, i.platform_id FROM instance i WHERE i.id = $3
         ON CONFLICT (id) DO NOTHING",
        names(&BINDING, ""),
        numbers(BINDING.len()),
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
            if tx
                .execute(Arc::clone(&BEGIN), &params(&cells.operation))
                .await?
                == 0
            {
                let asked: [&dyn Param; 3] = [&platform_id.as_str(), &tenant, &verb.word()];
                let rows = tx.query_opt(Arc::clone(&TERMINATING), &asked).await?;
                return Err(stop(rows)?);
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
    let errors = json!({"error": "Cancelled", "description": CANCELLED}).to_string();
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
    let (kind, text, cells, labels, seq) = match row {
        Row::None => return Ok(true),
        Row::Instance(cells, labels) => (
            Kind::Instance,
            &*MAKE_INSTANCE,
            cells,
            labels,
            "SELECT seq FROM instance WHERE id = $1",
        ),
        Row::Binding(cells, labels) => (
            Kind::Binding,
            &*MAKE_BINDING,
            cells,
            labels,
            "SELECT seq FROM binding WHERE id = $1",
        ),
    };
    if tx.execute(Arc::clone(text), &params(cells)).await? == 0 {
        return Ok(false);
    }
    if !labels.is_empty() {
        let row = tx.query_opt(seq, &[&cells.first()]).await?;
        let seq = row.map(|row| row.get(0)).transpose()?.unwrap_or_default();
        label::insert(tx, kind, seq, id, labels).await?;
    }
    Ok(true)
}
