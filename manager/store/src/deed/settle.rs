//! Stores an outcome: how the operation goes on, the state of the resource, the event, the audit record. The
//! operation engine calls it after a broker was called.
//!
//! The rule: the operation is written first and only under its lease; when that is lost, nothing else is written.

mod cells;
mod effect;
mod many;
mod told;

pub(crate) use many::Many;

use super::{Effect, Settlement, about_the_row, params};
use crate::cells::Cells;
use crate::operation::said_place;
use crate::resource::Table;
use crate::{Error, Store, Tx, audit, outbox};
use qm_model::operation::Operation;
use qm_policy::{Door, Permit};
use std::sync::{Arc, LazyLock};

/// What is not given stays. `CASE` rather than several texts, because many callers share one.
static SETTLE: LazyLock<Arc<str>> = LazyLock::new(|| {
    let set = cells::set(|name| match name {
        "phase" => "$5",
        "state" => "$6",
        "errors" => "$7",
        "description" => "$8",
        "broker_operation" => "$9",
        "due_at" => "$10",
        "error" => "$11",
        "step" => "$12",
        _ => "$4",
    });
    Arc::from(format!(
        "UPDATE operation AS o SET {set} WHERE o.id = $1 AND o.fence = $2 AND o.lease_owner = $3"
    ))
});

/// Read apart: for a statement with `RETURNING` SQLite copies every page that it changes.
static SETTLED: LazyLock<Arc<str>> = LazyLock::new(|| {
    let columns = Operation::COLUMNS.join(", ");
    Arc::from(format!("SELECT {columns} FROM operation WHERE id = $1"))
});

/// Stores what came of it, and gives the operation as it is then.
///
/// # Errors
/// [`Error::Fenced`] when the lease is lost: then nothing is written.
pub async fn settle(
    store: &Store,
    _permit: &Permit<Door>,
    settlement: Settlement,
) -> Result<Operation, Error> {
    // A change of an instance's values may touch labels and bindings, and an event that outdates a broker's view
    // is told at home first; both are rarer than the rest.
    let outdates = settlement
        .event
        .as_ref()
        .is_some_and(|event| event.broker.is_some());
    let hot = !outdates && settlement.said.is_none() && is_hot(&settlement.effect);
    let Some(many) = store.many().filter(|_| hot) else {
        return one(store, settlement).await;
    };
    let settled = many.settle.run(cells::of(&settlement)?).await;
    store.note_room(&settled);
    match settled {
        Ok(Some(row)) => {
            let operation = Operation::read(&mut Cells::new("operation", row))?;
            store.settled(&operation, settlement.event.is_some());
            Ok(operation)
        }
        Ok(None) => Err(Error::Fenced),
        // What is wrong with this one alone, the closure says.
        Err(error) if about_the_row(&error) => one(store, settlement).await,
        Err(error) => Err(error.into()),
    }
}

/// Whether the statement for many knows this effect.
fn is_hot(effect: &Effect) -> bool {
    match effect {
        Effect::None
        | Effect::InstanceReady { .. }
        | Effect::InstanceUsable { .. }
        | Effect::RemoveInstance(_)
        | Effect::RemoveBinding(_) => true,
        Effect::BindingReady { credentials, .. } => credentials.is_none(),
        Effect::InstanceChanged { .. }
        | Effect::InstanceUnchanged { .. }
        | Effect::InstanceUnnamed(_)
        | Effect::BindingUnnamed(_) => false,
    }
}

/// Stores one outcome in a transaction of its own.
async fn one(store: &Store, settlement: Settlement) -> Result<Operation, Error> {
    let operation = cells::operation(&settlement)?;
    let all = Arc::new((operation, settlement));
    store
        .keep_house(async move |tx: &Tx<'_>| {
            let (operation, settlement) = &*all;
            let Settlement {
                held: _,
                next: _,
                effect,
                event,
                audit,
                said,
                now,
            } = settlement;
            let given = params(operation);
            if tx.execute(Arc::clone(&SETTLE), &given).await? == 0 {
                return Err(Error::Fenced);
            }
            let id = settlement.held.id.as_str();
            let Some(row) = tx.query_opt(Arc::clone(&SETTLED), &[&id]).await? else {
                return Err(Error::Fenced);
            };
            let operation = Operation::read(&mut Cells::new("operation", row))?;
            // What is left of a creation may still be cleaned up.
            if operation.state.is_terminal() && operation.due_at.is_none() {
                tx.note_ended(&operation);
            }
            if let Some(said) = said {
                let plain = serde_json::to_vec(said.expose()).map_err(|_| Error::Form {
                    table: "operation",
                    column: "said",
                })?;
                let sealed = tx.seal(&said_place(&operation.id), &plain)?;
                let text = "UPDATE operation SET said = $2 WHERE id = $1";
                tx.execute(text, &[&operation.id.as_str(), &sealed]).await?;
            }
            effect::write(tx, effect, *now).await?;
            if let Some(event) = event {
                outbox::append(tx, event, *now).await?;
            }
            if let Some(entry) = audit {
                audit::append(tx, entry).await?;
            }
            Ok(operation)
        })
        .await
}
