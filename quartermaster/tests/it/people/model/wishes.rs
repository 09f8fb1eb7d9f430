//! What was wished for, and the broker's calls held against it.

use super::super::world::World;
use super::deeds::{Done, Known};
use quartermaster_osb::Verb;
use std::collections::BTreeMap;

/// What was wished for so far.
#[derive(Debug, Default)]
pub(super) struct Wishes {
    pub(super) known: Vec<Known>,
    /// The operations that were promised.
    pub(super) accepted: Vec<String>,
    /// Of each thing: from which call on it was to be deleted, or not any more.
    deletes: BTreeMap<String, Vec<(usize, bool)>>,
}

impl Wishes {
    pub(super) fn note(&mut self, world: &World, done: Done) {
        let Done {
            deletes,
            keeps,
            since,
            status,
            location,
            made,
        } = done;
        // Who was refused has no wish; who heard nothing may have one.
        let refused = status.is_some_and(|status| [400, 403, 404, 409, 422].contains(&status));
        for id in deletes {
            let turns = self.deletes.entry(id).or_default();
            let before = turns.last().is_some_and(|(_, wished)| *wished);
            turns.push((since, true));
            if refused && !before {
                turns.push((world.asked(), false));
            }
        }
        if let (Some(id), Some(200)) = (keeps, status) {
            self.deletes
                .entry(id)
                .or_default()
                .push((world.asked(), false));
        }
        self.accepted.extend(location);
        self.known
            .extend(made.filter(|made| !self.known.contains(made)));
    }

    fn wished(&self, id: &str, call: usize) -> bool {
        let Some(turns) = self.deletes.get(id) else {
            return false;
        };
        let last = turns.iter().rev().find(|(since, _)| *since < call);
        last.is_some_and(|(_, wished)| *wished)
    }

    /// No deletion without the wish to delete, or a creation of our own that failed.
    pub(super) fn hold(&self, world: &World) {
        let made = world
            .manager
            .sql("SELECT resource_id || ' ' || state FROM operation WHERE type = 'create'");
        let made: BTreeMap<&str, &str> = made
            .iter()
            .filter_map(|line| line.split_once(' '))
            .collect();
        for (at, call) in world.broker.calls().iter().enumerate() {
            let thing = match call.verb {
                Some(Verb::Deprovision) => call.instance.as_deref(),
                Some(Verb::Unbind) => call.binding.as_deref(),
                _ => continue,
            };
            let thing = thing.unwrap();
            let whole = made.get(thing) == Some(&"succeeded");
            // With its instance everything that is bound to it was wished away, also what nobody had heard of.
            let with = call
                .instance
                .as_deref()
                .is_some_and(|instance| self.wished(instance, at + 1));
            assert!(
                !whole || with || self.wished(thing, at + 1),
                "{thing} was deleted by call {}, and nobody wanted that: {:?}",
                call.number,
                self.deletes.get(thing)
            );
        }
    }
}
