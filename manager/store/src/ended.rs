//! How many operations have ended since this process began, by what they were and how they ended. The store counts after
//! each commit; the task that measures shows it.
//!
//! The rule: what was rolled back or tried twice is not counted, and nothing is scanned.

use qm_model::Kind;
use qm_model::operation::{Operation, State, Verb};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// What ended, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ended {
    /// What kind of resource it was about.
    pub kind: Kind,
    /// What was done to it.
    pub verb: Verb,
    /// What it came to.
    pub state: State,
}

impl Ended {
    pub(crate) fn of(operation: &Operation) -> Self {
        Self {
            kind: operation.resource_kind,
            verb: operation.verb,
            state: operation.state,
        }
    }
}

/// The counts.
#[derive(Debug, Default)]
pub(crate) struct Counts(Mutex<HashMap<Ended, u64>>);

impl Counts {
    pub(crate) fn add(&self, ended: Vec<Ended>) {
        if ended.is_empty() {
            return;
        }
        // A panic elsewhere leaves a map that is whole.
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for ended in ended {
            *counts.entry(ended).or_default() += 1;
        }
    }

    pub(crate) fn all(&self) -> Vec<(Ended, u64)> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter().map(|(ended, n)| (*ended, *n)).collect()
    }
}
