//! Everything the run may have created, until it is seen to be gone.
//!
//! Written by the client side before a creating request leaves (intent before call), read by `clean`. The rule:
//! an entry leaves only when the broker said that the thing is gone.

use crate::request::Resource;
use std::sync::{Mutex, PoisonError};

/// Who created something: a case by its place in the run, or the run itself for what cases share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Job(usize),
    Run,
}

/// The list of what may exist.
#[derive(Debug, Default)]
pub(crate) struct Ledger(Mutex<Vec<Entry>>);

#[derive(Debug)]
struct Entry {
    owner: Owner,
    resource: Resource,
    /// The broker said that it made it.
    made: bool,
}

impl Ledger {
    /// Notes that a resource is about to be created. A second note takes over the plan.
    pub(crate) fn add(&self, owner: Owner, resource: &Resource) {
        let mut list = self.lock();
        match list
            .iter_mut()
            .find(|entry| same(&entry.resource, resource))
        {
            Some(entry) => entry.resource = resource.clone(),
            None => list.push(Entry {
                owner,
                resource: resource.clone(),
                made: false,
            }),
        }
    }

    /// Notes that the broker said it made it.
    pub(crate) fn made(&self, resource: &Resource) {
        for entry in self.lock().iter_mut() {
            entry.made |= same(&entry.resource, resource);
        }
    }

    /// Whether the broker ever said that it made it.
    pub(crate) fn was_made(&self, resource: &Resource) -> bool {
        self.lock()
            .iter()
            .any(|entry| entry.made && same(&entry.resource, resource))
    }

    /// Notes that the broker said it is gone. With an instance its bindings go, too.
    pub(crate) fn gone(&self, resource: &Resource) {
        self.lock().retain(|entry| {
            let known = &entry.resource;
            let whole = resource.binding.is_none() && known.instance == resource.instance;
            !whole && !same(known, resource)
        });
    }

    /// What an owner may have left, bindings before instances.
    pub(crate) fn of(&self, owner: Owner) -> Vec<Resource> {
        self.take_if(|of| of == owner)
    }

    /// What anybody may have left, bindings before instances.
    pub(crate) fn all(&self) -> Vec<Resource> {
        self.take_if(|_| true)
    }

    fn take_if(&self, wanted: impl Fn(Owner) -> bool) -> Vec<Resource> {
        let list = self.lock();
        let mut found: Vec<Resource> = list
            .iter()
            .filter(|entry| wanted(entry.owner))
            .map(|entry| entry.resource.clone())
            .collect();
        found.sort_by_key(|resource| resource.binding.is_none());
        found
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn same(a: &Resource, b: &Resource) -> bool {
    a.instance == b.instance && a.binding == b.binding
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(instance: &str, binding: Option<&str>) -> Resource {
        Resource {
            instance: instance.to_owned(),
            binding: binding.map(str::to_owned),
            service_id: "s".to_owned(),
            plan_id: "p".to_owned(),
        }
    }

    #[test]
    fn bindings_come_before_instances_and_go_with_them() {
        let ledger = Ledger::default();
        ledger.add(Owner::Job(1), &resource("i", None));
        ledger.add(Owner::Job(1), &resource("i", Some("b")));
        ledger.add(Owner::Run, &resource("j", None));
        assert_eq!(ledger.of(Owner::Job(1))[0].binding.as_deref(), Some("b"));
        assert_eq!(ledger.all().len(), 3);
        ledger.gone(&resource("i", None));
        assert_eq!(ledger.all(), [resource("j", None)]);
    }
}
