//! What the broker believes: instances, bindings, operations under way, and what is gone.
//!
//! Worked on by `behave/*`, looked at by tests as `KnownInstance`. The rule: a thing exists from the moment its creation
//! is accepted until its deletion has ended well, for that is how long it may cost somebody money.

use super::config::Config;
use quartermaster_osb::{Catalog, State};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Where a thing stands in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Accepted, not yet there.
    Creating,
    /// Usable.
    Ready,
    /// Usable, a change is under way.
    Updating,
    /// A deletion is under way.
    Deleting,
    /// Its creation or deletion ended badly; it is still there.
    Failed,
}

/// An instance as a test sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KnownInstance {
    /// The platform's id.
    pub id: String,
    /// The offering.
    pub service_id: String,
    /// The plan in force.
    pub plan_id: String,
    /// The parameters in force; `null` when none were sent.
    pub parameters: Value,
    /// Where it stands.
    pub phase: Phase,
    /// Its bindings.
    pub bindings: Vec<KnownBinding>,
}

/// A binding as a test sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KnownBinding {
    /// The platform's id.
    pub id: String,
    /// Its parameters; `null` when none were sent.
    pub parameters: Value,
    /// Where it stands.
    pub phase: Phase,
    /// What was or will be handed out.
    pub credentials: Value,
}

/// What an operation does.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Deed {
    Create,
    /// To this plan and these parameters.
    Update(String, Value),
    Delete,
}

/// A failure that the script ordered.
#[derive(Debug, Clone)]
pub(super) struct Doom {
    pub(super) description: String,
    pub(super) instance_usable: Option<bool>,
    pub(super) update_repeatable: Option<bool>,
}

/// Work under way or ended.
#[derive(Debug, Clone)]
pub(super) struct Operation {
    pub(super) id: String,
    pub(super) deed: Deed,
    pub(super) left: u32,
    pub(super) doom: Option<Doom>,
    pub(super) state: State,
}

/// An instance or a binding.
#[derive(Debug, Clone)]
pub(super) struct Thing {
    pub(super) service_id: String,
    pub(super) plan_id: String,
    pub(super) parameters: Value,
    /// The rest of what makes a repeated request the same request.
    pub(super) identity: Value,
    pub(super) credentials: Value,
    pub(super) phase: Phase,
    pub(super) operation: Option<Operation>,
}

#[derive(Debug, Clone)]
pub(super) struct Instance {
    pub(super) thing: Thing,
    pub(super) bindings: BTreeMap<String, Thing>,
}

/// Everything the broker knows.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) catalog: Catalog,
    pub(super) credentials: Option<(String, String)>,
    pub(super) instances: BTreeMap<String, Instance>,
    pub(super) retry_after: Option<u64>,
    asynchronous: Vec<String>,
    polls: u32,
    gone: BTreeSet<(String, Option<String>)>,
    operations: u64,
}

impl Memory {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            catalog: config.catalog.clone(),
            credentials: config.credentials.clone(),
            instances: BTreeMap::new(),
            retry_after: config.retry_after,
            asynchronous: config.asynchronous.clone(),
            polls: config.polls,
            gone: BTreeSet::new(),
            operations: 0,
        }
    }

    pub(super) fn is_asynchronous(&self, plan: &str) -> bool {
        self.asynchronous.iter().any(|known| known == plan)
    }

    /// An operation that begins now.
    pub(super) fn operation(&mut self, deed: Deed, doom: Option<Doom>) -> Operation {
        self.operations += 1;
        Operation {
            id: format!("operation-{}", self.operations),
            deed,
            left: self.polls,
            doom,
            state: State::InProgress,
        }
    }

    /// Deletes for good and remembers that it did.
    pub(super) fn remove(&mut self, instance: &str, binding: Option<&str>) {
        match binding {
            None => drop(self.instances.remove(instance)),
            Some(binding) => {
                if let Some(instance) = self.instances.get_mut(instance) {
                    instance.bindings.remove(binding);
                }
            }
        }
        self.gone
            .insert((instance.to_owned(), binding.map(str::to_owned)));
    }

    /// Whether something of that name was deleted here.
    pub(super) fn is_gone(&self, instance: &str, binding: Option<&str>) -> bool {
        self.gone
            .contains(&(instance.to_owned(), binding.map(str::to_owned)))
    }

    /// As if it had never been.
    pub(super) fn forget(&mut self, instance: &str) {
        self.instances.remove(instance);
        self.gone.retain(|(known, _)| known != instance);
    }

    pub(super) fn known(&self) -> Vec<KnownInstance> {
        let known = self.instances.iter().map(|(id, instance)| KnownInstance {
            id: id.clone(),
            service_id: instance.thing.service_id.clone(),
            plan_id: instance.thing.plan_id.clone(),
            parameters: instance.thing.parameters.clone(),
            phase: instance.thing.phase,
            bindings: instance.bindings.iter().map(known_binding).collect(),
        });
        known.collect()
    }
}

fn known_binding((id, thing): (&String, &Thing)) -> KnownBinding {
    KnownBinding {
        id: id.clone(),
        parameters: thing.parameters.clone(),
        phase: thing.phase,
        credentials: thing.credentials.clone(),
    }
}

impl Thing {
    /// The operation under way.
    pub(super) fn running(&self) -> Option<&Operation> {
        self.operation
            .as_ref()
            .filter(|operation| operation.state == State::InProgress)
    }

    /// Begins an operation.
    pub(super) fn begin(&mut self, operation: Operation) {
        self.phase = match operation.deed {
            Deed::Create => Phase::Creating,
            Deed::Update(..) => Phase::Updating,
            Deed::Delete => Phase::Deleting,
        };
        self.operation = Some(operation);
    }

    /// Lets one poll's worth of time pass; true when a deletion ended well just now.
    pub(super) fn step(&mut self) -> bool {
        let Some(operation) = &mut self.operation else {
            return false;
        };
        if operation.state != State::InProgress {
            return false;
        }
        if operation.left > 0 {
            operation.left -= 1;
            return false;
        }
        let well = operation.doom.is_none();
        operation.state = if well {
            State::Succeeded
        } else {
            State::Failed
        };
        match (&operation.deed, well) {
            (Deed::Create, true) => self.phase = Phase::Ready,
            (Deed::Update(plan, parameters), true) => {
                self.plan_id.clone_from(plan);
                self.parameters = parameters.clone();
                self.phase = Phase::Ready;
            }
            // A failed update changes nothing.
            (Deed::Update(..), false) => self.phase = Phase::Ready,
            (Deed::Create | Deed::Delete, false) => self.phase = Phase::Failed,
            (Deed::Delete, true) => return true,
        }
        false
    }
}
