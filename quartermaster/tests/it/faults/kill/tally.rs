//! What the caller of a slot believes, and how often a kill left what behind.

/// What is there as far as its only writer knows: what was answered last and, when an answer is missing, what may be
/// there instead. `None` inside is absence.
#[derive(Debug, Clone)]
pub(super) struct Belief<T> {
    pub(super) known: Option<T>,
    open: Option<Option<T>>,
}

impl<T: Clone + PartialEq + std::fmt::Debug> Belief<T> {
    pub(super) fn nothing() -> Self {
        Self {
            known: None,
            open: None,
        }
    }

    /// Whether an answer is missing.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// A deed that would lead to `then`: answered, or not.
    pub(super) fn after(&mut self, then: Option<T>, answered: bool) {
        if answered {
            self.known = then;
        } else {
            self.open = Some(then);
        }
    }

    /// Holds what was found against what is believed; from then on it is what is known.
    pub(super) fn settle(&mut self, found: Option<T>, tally: &mut Tally, what: &str) {
        match self.open.take() {
            None => assert_eq!(found, self.known, "{what}: not what was answered"),
            Some(then) if found == then => tally.whole += 1,
            Some(then) => {
                assert_eq!(found, self.known, "{what}: neither as before nor {then:?}");
                tally.absent += 1;
            }
        }
        self.known = found;
    }
}

/// Counted over all rounds.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Deeds that were answered.
    pub(super) answered: usize,
    /// Deeds without an answer that were done all the same.
    pub(super) whole: usize,
    /// Deeds without an answer that were not done.
    pub(super) absent: usize,
    /// Times an operation was found under way after a restart.
    pub(super) under_way: usize,
}

impl Tally {
    /// A test whose kills never fell into a deed has shown nothing.
    pub(super) fn is_telling(&self) {
        let Self {
            answered,
            whole,
            absent,
            under_way,
        } = self;
        assert!(*answered >= 300, "{self:?}");
        assert!(
            *whole >= 10 && *absent >= 10 && *under_way >= 10,
            "{self:?}"
        );
    }
}
