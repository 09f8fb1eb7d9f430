//! What every resource has.

use crate::{Labels, Time};

/// Times, readiness, labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Meta {
    /// When it was stored first.
    pub created_at: Time,
    /// When it was changed last.
    pub updated_at: Time,
    /// False from the intent to create it until that succeeded. Platforms ask for ready ones only.
    pub ready: bool,
    /// Free words of its owner.
    pub labels: Labels,
}

impl Meta {
    /// A resource that is there from now on.
    pub fn new(now: Time, labels: Labels) -> Self {
        Self {
            created_at: now,
            updated_at: now,
            ready: true,
            labels,
        }
    }
}
