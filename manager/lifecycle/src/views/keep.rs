//! Views by broker, within a number of bytes. [`Memory`](super::Memory) holds it.
//!
//! The rule: a lookup takes a lock that lookups share; only who brings a view looks for room, and whoever was not asked
//! for longest goes first. A view heavier than all the room is kept alone.

use super::{Mark, Stamps, View};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Views by broker.
pub(super) struct Keep {
    most: usize,
    /// Counts the views that were brought: a clock for who was asked for when.
    brought: AtomicU64,
    held: RwLock<Held>,
}

#[derive(Default)]
struct Held {
    views: HashMap<String, Slot>,
    weight: usize,
}

struct Slot {
    view: Arc<View>,
    mark: Mark,
    weight: usize,
    used: AtomicU64,
}

impl Keep {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            brought: AtomicU64::new(0),
            held: RwLock::default(),
        }
    }

    /// The view of a broker, if there is one that holds.
    pub(super) fn get(&self, broker: &str, stamps: &Stamps) -> Option<Arc<View>> {
        let held = self.read();
        let slot = held.views.get(broker)?;
        if !stamps.holds(&slot.mark) {
            return None;
        }
        let now = self.brought.load(Ordering::Relaxed);
        if slot.used.load(Ordering::Relaxed) != now {
            slot.used.store(now, Ordering::Relaxed);
        }
        Some(Arc::clone(&slot.view))
    }

    /// Keeps a view, and lets others go for it where there is no room.
    pub(super) fn put(&self, broker: &str, view: Arc<View>, mark: Mark) {
        let weight = view.weight();
        let used = AtomicU64::new(self.brought.fetch_add(1, Ordering::Relaxed) + 1);
        let mut held = self.write();
        held.forget(broker);
        while held.weight + weight > self.most && held.forget_oldest() {}
        held.weight += weight;
        let slot = Slot {
            view,
            mark,
            weight,
            used,
        };
        held.views.insert(broker.to_owned(), slot);
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
        metrics::gauge!("qm_views_bytes").set(held.weight as f64);
    }

    pub(super) fn forget(&self, broker: &str) {
        if self.read().views.contains_key(broker) {
            self.write().forget(broker);
        }
    }

    pub(super) fn clear(&self) {
        *self.write() = Held::default();
    }

    /// A panic elsewhere leaves a map that is whole.
    fn read(&self) -> RwLockReadGuard<'_, Held> {
        self.held.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Held> {
        self.held.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn forget(&mut self, broker: &str) {
        if let Some(slot) = self.views.remove(broker) {
            self.weight -= slot.weight;
        }
    }

    /// False when there is nothing left.
    fn forget_oldest(&mut self) -> bool {
        let used = |slot: &Slot| slot.used.load(Ordering::Relaxed);
        let oldest = self.views.iter().min_by_key(|(_, slot)| used(slot));
        let Some(broker) = oldest.map(|(broker, _)| broker.clone()) else {
            return false;
        };
        self.forget(&broker);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::load::tests::view;
    use super::super::{Of, Stamps};
    use super::*;

    fn mark(stamps: &Stamps, broker: &str) -> Mark {
        stamps.mark(stamps.now(), [Of::View(broker); 3])
    }

    #[test]
    fn no_heavier_than_allowed_and_who_was_asked_for_stays() {
        let stamps = Stamps::new();
        let one = view("0").weight();
        let keep = Keep::new(one * 10 + one / 2);
        for n in 0..100 {
            let broker = n.to_string();
            keep.put(&broker, Arc::new(view(&broker)), mark(&stamps, &broker));
            assert!(keep.read().weight <= keep.most);
            assert!(keep.get("0", &stamps).is_some(), "asked for all the time");
            assert!(keep.get(&broker, &stamps).is_some(), "brought just now");
        }
        assert_eq!(keep.read().views.len(), 10);
    }

    #[test]
    fn one_that_is_too_heavy_is_kept_alone() {
        let stamps = Stamps::new();
        let keep = Keep::new(1);
        for broker in ["a", "b"] {
            keep.put(broker, Arc::new(view(broker)), mark(&stamps, broker));
            assert!(keep.get(broker, &stamps).is_some());
            assert_eq!(keep.read().views.len(), 1);
        }
        keep.forget("b");
        assert_eq!(keep.read().weight, 0);
    }
}
