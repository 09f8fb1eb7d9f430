//! When what was touched last. Whoever remembers something from the store asks here whether it still holds.
//!
//! The rule: the place in the order of touches is noted before the store is read ([`Stamps::now`]), and what was read
//! holds only while nothing it was made of is touched after that place. So it does not matter how long reading took,
//! or what happened meanwhile: what a change has overtaken never holds.
//!
//! Things share slots by their hash. Who shares one is at worst read again for nothing.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

const SLOTS: usize = 4096;
/// The most things that one memory can depend on.
const PARTS: usize = 3;

/// When what was touched last.
pub(crate) struct Stamps {
    hasher: RandomState,
    /// How many touches there have been.
    last: AtomicU64,
    /// Everything from before this one is outdated.
    floor: AtomicU64,
    /// The last touch of whatever shares the slot.
    slots: Box<[AtomicU64]>,
}

/// A thing that can be touched.
#[derive(Debug, Clone, Copy, Hash)]
pub(crate) enum Of<'a> {
    /// A broker, its catalog, who sees it.
    View(&'a str),
    /// A broker's being there at all.
    Gone(&'a str),
    /// A platform and its pairs.
    Platform(&'a str),
    /// A broker-platform credential.
    Credential(&'a str),
}

/// A place in the order of touches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Since(u64);

/// What a memory depends on, and since when it holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    since: u64,
    slots: [u16; PARTS],
}

impl Stamps {
    pub(crate) fn new() -> Self {
        Self {
            hasher: RandomState::new(),
            last: AtomicU64::new(0),
            floor: AtomicU64::new(0),
            slots: std::iter::repeat_with(|| AtomicU64::new(0))
                .take(SLOTS)
                .collect(),
        }
    }

    /// To be asked before the store is.
    pub(crate) fn now(&self) -> Since {
        Since(self.last.load(Ordering::SeqCst))
    }

    /// What was read since then depends on these.
    pub(crate) fn mark(&self, since: Since, parts: [Of<'_>; PARTS]) -> Mark {
        Mark {
            since: since.0,
            slots: parts.map(|part| self.slot(part)),
        }
    }

    /// Whether nothing it depends on was touched since.
    pub(crate) fn holds(&self, mark: &Mark) -> bool {
        let untouched = |slot: &u16| {
            let slot = self.slots.get(usize::from(*slot));
            slot.is_some_and(|last| last.load(Ordering::SeqCst) <= mark.since)
        };
        self.floor.load(Ordering::SeqCst) <= mark.since && mark.slots.iter().all(untouched)
    }

    /// This was changed, and the change is committed.
    pub(crate) fn touch(&self, of: Of<'_>) {
        let place = self.last.fetch_add(1, Ordering::SeqCst) + 1;
        if let Some(slot) = self.slots.get(usize::from(self.slot(of))) {
            slot.fetch_max(place, Ordering::SeqCst);
        }
    }

    /// Anything may have been changed.
    pub(crate) fn touch_all(&self) {
        let place = self.last.fetch_add(1, Ordering::SeqCst) + 1;
        self.floor.fetch_max(place, Ordering::SeqCst);
    }

    #[expect(clippy::cast_possible_truncation, reason = "less than SLOTS")]
    fn slot(&self, of: Of<'_>) -> u16 {
        (self.hasher.hash_one(of) % SLOTS as u64) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(id: &str) -> [Of<'_>; PARTS] {
        [Of::Platform(id), Of::Credential(id), Of::Gone(id)]
    }

    #[test]
    fn what_was_read_before_a_touch_does_not_hold() {
        let stamps = Stamps::new();
        let mark = stamps.mark(stamps.now(), of("a"));
        assert!(stamps.holds(&mark));
        for part in of("a") {
            let mark = stamps.mark(stamps.now(), of("a"));
            stamps.touch(part);
            assert!(!stamps.holds(&mark), "{part:?}");
        }
        assert!(stamps.holds(&stamps.mark(stamps.now(), of("a"))));
    }

    #[test]
    fn a_touch_while_it_is_read_counts() {
        let stamps = Stamps::new();
        let since = stamps.now();
        stamps.touch(Of::Credential("a"));
        assert!(!stamps.holds(&stamps.mark(since, of("a"))));
        let since = stamps.now();
        stamps.touch_all();
        assert!(!stamps.holds(&stamps.mark(since, of("b"))));
    }

    #[test]
    fn others_are_left_alone() {
        let stamps = Stamps::new();
        let marks: Vec<_> = (0..100)
            .map(|n| stamps.mark(stamps.now(), of(&n.to_string())))
            .collect();
        stamps.touch(Of::Platform("x"));
        let lost = marks.iter().filter(|mark| !stamps.holds(mark)).count();
        assert!(lost < 10, "{lost}");
        stamps.touch(Of::View("5"));
        assert!(marks.iter().filter(|mark| !stamps.holds(mark)).count() < 20);
    }
}
