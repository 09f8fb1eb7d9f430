//! The two hottest writes: the intent before a broker is called, and the outcome after. The operation engine calls
//! them, and nobody else.
//!
//! The rule: what belongs together is one transaction. An intent is there with its row or not at all; an outcome
//! is there with the state of the resource, the event and the audit record, or, when the lease is lost, nothing is.

pub(crate) mod begin;
pub(crate) mod fingerprint;
mod settle;
mod take;

pub use begin::begin;
pub use fingerprint::fingerprint;
pub use settle::settle;
pub use take::take;

use crate::Error;
use crate::operation::{Held, Phase};
use qm_db::{Db, Param};
use qm_model::audit::Entry;
use qm_model::binding::Binding;
use qm_model::event::NewEvent;
use qm_model::id::{BindingId, BrokerId, InstanceId, OperationId};
use qm_model::instance::Instance;
use qm_model::operation::{Operation, State};
use qm_model::{Secret, Time};
use serde_json::Value;
use std::fmt;

/// What is going to be done, to be stored before it begins.
#[derive(Clone, PartialEq)]
pub struct Intent {
    /// As clients see it: in progress, with its deadline.
    pub operation: Operation,
    /// The tenant that asked, so that its people see it.
    pub tenant: Option<String>,
    /// Which broker is going to be called.
    pub broker_id: BrokerId,
    /// What a worker needs to go on; sealed by the store.
    pub work: Vec<u8>,
    /// Of what was asked, see [`fingerprint()`].
    pub fingerprint: Vec<u8>,
    /// What comes into being with it.
    pub row: NewRow,
    /// Whether the broker is about to be called, or whoever takes the operation up calls it.
    pub phase: Phase,
    /// The resource stays when its creation failed.
    pub keep_on_failure: bool,
    /// What must be unique about the row, or about the instance from now on: two with the same cannot be.
    pub name_key: Option<String>,
    /// What a new row was asked for with; sealed by the store.
    pub parameters: Option<Vec<u8>>,
    /// Who works on it.
    pub owner: String,
    /// Until when nobody else may.
    pub lease_until: Time,
    /// It may begin only if nothing refers to the instance: for the deletion of a shared one.
    pub unreferenced: bool,
    /// A delete takes over this operation, if its fence is still this one: it ends as failed.
    pub over: Option<(OperationId, i64)>,
}

/// Without the work, which may hold secrets.
impl fmt::Debug for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Intent")
            .field("operation", &self.operation)
            .field("row", &self.row)
            .field("owner", &self.owner)
            .field("over", &self.over)
            .finish_non_exhaustive()
    }
}

/// What comes into being with an intent. The fingerprint goes along.
#[derive(Debug, Clone, PartialEq)]
pub enum NewRow {
    /// Nothing: it exists already, or the manager does not know it.
    None,
    /// An instance that is not ready yet.
    Instance(Box<Instance>),
    /// A binding that is not ready yet, of an instance that is known.
    Binding(Box<Binding>),
}

/// Whether the deed may begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// It may, under this lease.
    Begun(Held),
    /// Something is in the way: the id is taken, an operation is under way, the binding's instance is gone, or what
    /// was to be taken over is no longer as it was. Read the facts.
    Taken,
    /// The name is taken.
    NameTaken,
    /// These refer to the instance, and perhaps others.
    Referenced(Vec<InstanceId>),
    /// The platform is being removed.
    Terminating,
}

/// How it goes on.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// It has ended. What was needed to go on is erased.
    Done {
        /// How.
        state: State,
        /// `{"error","description"}` when it failed.
        errors: Option<Value>,
        /// In words.
        description: String,
    },
    /// The broker works on it. Attempts are counted from 0 in this phase.
    Polling {
        /// What the broker calls it; `None` leaves what is known.
        broker_operation: Option<String>,
        /// When to ask.
        due: Time,
        /// In words.
        description: String,
    },
    /// What we were creating must be deleted again. Attempts are counted from 0 in this phase.
    Mitigating {
        /// What clients see of it meanwhile; `None` leaves it as it is.
        state: Option<State>,
        /// When.
        due: Time,
        /// Why, as clients see it.
        errors: Value,
        /// In words.
        description: String,
    },
    /// The broker asked to come back: it is sent once more. What it says is only what stood in the way.
    Queued {
        /// When.
        due: Time,
        /// What stood in the way.
        error: String,
        /// What clients are told meanwhile, when it counts as failed until it works out.
        failed: Option<Value>,
    },
    /// It did not work out this time: tried again in the phase in which it is, with one attempt more.
    Again {
        /// When.
        due: Time,
        /// What went wrong, if anything did.
        error: Option<String>,
        /// What clients are told meanwhile, when it counts as failed until it works out.
        failed: Option<Value>,
    },
}

/// What becomes of the resource.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Nothing.
    None,
    /// The instance is there and can be used.
    InstanceReady {
        /// Which one.
        id: InstanceId,
        /// Where its web page is; `None` leaves what is known.
        dashboard_url: Option<String>,
        /// The body of the broker's answer; `None` leaves what is known.
        answer: Option<String>,
    },
    /// The instance has new values.
    InstanceChanged {
        /// All of them.
        instance: Box<Instance>,
        /// Of what was asked.
        fingerprint: Vec<u8>,
        /// The body of the broker's answer; `None` leaves what is known.
        answer: Option<String>,
        /// What it was asked for with; sealed by the store. `None` leaves what is known.
        parameters: Option<Vec<u8>>,
    },
    /// Whether the instance can be used after its last operation.
    InstanceUsable {
        /// Which one.
        id: InstanceId,
        /// Whether.
        usable: bool,
    },
    /// A change did not come about.
    InstanceUnchanged {
        /// Which one.
        id: InstanceId,
        /// Whether it can still be used; `None` leaves what is known.
        usable: Option<bool>,
        /// What it was to become; sealed by the store.
        wanted: Vec<u8>,
        /// The key of the name it keeps.
        name_key: Option<String>,
    },
    /// Its creation failed, and others may have its name.
    InstanceUnnamed(InstanceId),
    /// The instance is gone, and its bindings with it.
    RemoveInstance(InstanceId),
    /// The binding is there, with these values.
    BindingReady {
        /// All of them.
        binding: Box<Binding>,
        /// What lets an application in, where the manager is the platform; sealed by the store.
        credentials: Option<Secret<Value>>,
    },
    /// Its creation failed, and others may have its name.
    BindingUnnamed(BindingId),
    /// The binding is gone.
    RemoveBinding(BindingId),
}

/// What came of it. The lease ends with it, whatever it was.
#[derive(Debug, Clone, PartialEq)]
pub struct Settlement {
    /// The right to say so.
    pub held: Held,
    /// How it goes on.
    pub next: Next,
    /// What becomes of the resource.
    pub effect: Effect,
    /// What platforms are told.
    pub event: Option<NewEvent>,
    /// What is remembered of it.
    pub audit: Option<Entry>,
    /// The broker's own words, when it failed; sealed by the store.
    pub said: Option<Secret<Value>>,
    /// When.
    pub now: Time,
}

/// The ways in for many callers at once. Only PostgreSQL has them.
pub(crate) struct Many {
    pub(crate) facts: crate::facts::Many,
    begin: begin::Many,
    settle: settle::Many,
}

impl Many {
    pub(crate) fn new(db: &Db) -> Result<Self, qm_db::Error> {
        Ok(Self {
            facts: crate::facts::Many::new(db)?,
            begin: begin::Many::new(db)?,
            settle: settle::Many::new(db)?,
        })
    }
}

/// Whether a statement that served many failed because of the one that stood alone in the end.
fn about_the_row(error: &qm_db::Error) -> bool {
    use qm_db::Error as Db;
    matches!(
        error,
        Db::Unique { .. } | Db::ForeignKey { .. } | Db::Check { .. } | Db::Statement { .. }
    )
}

pub(crate) fn params(cells: &[qm_db::Value]) -> Vec<&dyn Param> {
    cells.iter().map(|cell| cell as &dyn Param).collect()
}

/// PostgreSQL cannot keep NUL, and what many callers share must not fail because of one.
pub(crate) fn no_nul(cells: &[qm_db::Value]) -> Result<(), Error> {
    let nul = |cell: &qm_db::Value| matches!(cell, qm_db::Value::Text(text) if text.contains('\0'));
    if cells.iter().any(nul) {
        Err(Error::Nul)
    } else {
        Ok(())
    }
}
