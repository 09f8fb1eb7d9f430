//! News of a run while it goes on, for a progress line.

use crate::Verdict;

/// Something happened.
#[derive(Debug, Clone)]
pub enum Event {
    /// The catalog is read and the work is known.
    Planned {
        /// How many results there will be.
        total: usize,
        /// The plans, as `offering/plan`.
        plans: Vec<String>,
    },
    /// A case begins.
    Started {
        /// The case.
        id: &'static str,
        /// The plan, when it runs per plan.
        plan: Option<String>,
    },
    /// A case ended.
    Finished {
        /// The case.
        id: &'static str,
        /// The plan, when it runs per plan.
        plan: Option<String>,
        /// How.
        verdict: Verdict,
    },
    /// What was created is being deleted.
    Cleaning {
        /// How many resources may still exist.
        left: usize,
    },
}
