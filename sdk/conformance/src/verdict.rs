//! What a case says at its end, and how it stops early.
//!
//! Cases return `Check`; the runner turns it into a `Verdict` by the level of the case.

use crate::{Finding, Level};
use serde::Serialize;

/// The end of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "verdict")]
pub enum Verdict {
    /// All as the specification wants it.
    Passed,
    /// A MUST is broken.
    Failed,
    /// A SHOULD or MAY is broken.
    Warned,
    /// It could not be observed.
    Skipped {
        /// Why not.
        reason: String,
    },
}

impl Verdict {
    /// The verdict for a case of a level.
    pub(crate) fn of(level: Level, check: &Check) -> Self {
        match check {
            Ok(()) => Self::Passed,
            Err(Stop::Skipped(reason)) => Self::Skipped {
                reason: reason.clone(),
            },
            Err(Stop::Failed(_)) if level == Level::Must => Self::Failed,
            Err(Stop::Failed(_)) => Self::Warned,
        }
    }

    /// One lower-case word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Warned => "warned",
            Self::Skipped { .. } => "skipped",
        }
    }
}

/// How a case ends: well, or by a stop.
pub(crate) type Check = Result<(), Stop>;

/// Why a case ends early.
#[derive(Debug, Clone)]
pub(crate) enum Stop {
    /// The broker did something else than expected.
    Failed(Vec<Finding>),
    /// The case cannot be observed here.
    Skipped(String),
}

impl Stop {
    /// A finding without a single call that shows it.
    pub(crate) fn failed(expected: impl Into<String>, seen: impl Into<String>) -> Self {
        Self::Failed(vec![Finding {
            expected: expected.into(),
            seen: seen.into(),
            exchange: None,
        }])
    }

    /// The case does not apply.
    pub(crate) fn skip(reason: impl Into<String>) -> Self {
        Self::Skipped(reason.into())
    }
}

/// Gathers findings of a case that looks at several things.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Finding>);

impl Problems {
    /// Takes the outcome of one of the looks; a skip ends the case.
    pub(crate) fn take(&mut self, check: Check) -> Check {
        match check {
            Ok(()) => Ok(()),
            Err(Stop::Failed(mut findings)) => {
                self.0.append(&mut findings);
                Ok(())
            }
            skipped @ Err(Stop::Skipped(_)) => skipped,
        }
    }

    /// Adds a finding that no single call shows.
    pub(crate) fn add(&mut self, expected: impl Into<String>, seen: impl Into<String>) {
        self.0.push(Finding {
            expected: expected.into(),
            seen: seen.into(),
            exchange: None,
        });
    }

    /// The end of the case.
    pub(crate) fn done(self) -> Check {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Stop::Failed(self.0))
        }
    }
}
