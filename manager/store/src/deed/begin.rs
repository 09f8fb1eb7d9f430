//! Stores an intent: the operation with its lease, and the row that comes into being with it. The operation engine
//! calls it before it calls a broker.
//!
//! ```text
//!   SQLite      a closure; the writer commits many of them together
//!   PostgreSQL  many callers' intents in one statement (many.rs); a closure for those that take an operation
//!               over, for those that nothing may refer to, and for one that the statement could not serve
//! ```
//!
//! The rule: the index `operation_alone` and the resource's own id decide who comes first, and nothing is written
//! unless both are free.

mod cells;
mod many;
mod one;

pub(crate) use many::Many;

use super::{Begun, Intent, NewRow, about_the_row};
use crate::operation::Held;
use crate::{Error, Store};
use qm_model::Kind;
use qm_model::id::InstanceId;
use qm_model::operation::Verb;
use qm_policy::{Door, Permit};
use std::sync::Arc;

/// Stores what is going to be done, if nothing is in the way. Nothing is written unless it may begin.
///
/// # Errors
/// The database's; a foreign key when there is no such plan or platform.
pub async fn begin(store: &Store, _permit: &Permit<Door>, intent: Intent) -> Result<Begun, Error> {
    let cells = cells::of(&store.keys(), &intent)?;
    let done = match store.many() {
        Some(many) if intent.over.is_none() && !intent.unreferenced && !renames(&intent) => {
            match many.begin.run(store, cells).await {
                Ok(true) => Ok(()),
                Ok(false) => Err(one::why_not(store, &intent).await),
                // What is wrong with this one alone, the closure says.
                Err(error) if about_the_row(&error) => {
                    let cells = cells::of(&store.keys(), &intent)?;
                    one::run(store, Arc::new(cells), &intent).await
                }
                Err(error) => Err(Stop::Failed(error.into())),
            }
        }
        _ => one::run(store, Arc::new(cells), &intent).await,
    };
    match done {
        Ok(()) => Ok(Begun::Begun(Held {
            id: intent.operation.id,
            fence: 1,
            owner: intent.owner,
        })),
        Err(Stop::Taken) => Ok(Begun::Taken),
        Err(Stop::NameTaken) => Ok(Begun::NameTaken),
        Err(Stop::Referenced(by)) => Ok(Begun::Referenced(by)),
        Err(Stop::Terminating) => Ok(Begun::Terminating),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// An existing instance gets another name with it.
fn renames(intent: &Intent) -> bool {
    intent.row == NewRow::None && intent.name_key.is_some()
}

/// Why nothing was written.
enum Stop {
    Taken,
    NameTaken,
    Referenced(Vec<InstanceId>),
    Terminating,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The condition that the platform `of` is being removed with all that it has.
pub(crate) fn terminating(of: &str) -> String {
    leaves(Kind::Platform, of)
}

/// The same, or that something is to be made for a tenant that is being removed.
fn refusing(platform: &str, tenant: &str, verb: &str) -> String {
    format!(
        "({} OR ({verb} = '{}' AND {}))",
        leaves(Kind::Platform, platform),
        Verb::Create.word(),
        leaves(Kind::Tenant, tenant)
    )
}

fn leaves(kind: Kind, id: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM operation p WHERE p.resource_type = '{}' AND p.resource_id = {id}
            AND p.phase <> 'done' AND p.type = 'delete')",
        kind.path()
    )
}
