//! Work that outlives its request: the 202 body, and what last_operation says.

use crate::{Extra, InstanceMetadata};
use serde::{Deserialize, Serialize};

/// Longest `operation` string the protocol allows, in characters (B25).
pub const MAX_OPERATION_CHARS: usize = 10_000;

/// The three states of an operation. Lower case, with a space (B70).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum State {
    /// Not finished; poll again.
    #[serde(rename = "in progress")]
    InProgress,
    /// Finished well.
    #[serde(rename = "succeeded")]
    Succeeded,
    /// Finished badly.
    #[serde(rename = "failed")]
    Failed,
}

impl State {
    /// As written on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InProgress => "in progress",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }
}

/// The body of a 202.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Accepted {
    /// What the platform hands back when it polls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Provision and update only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dashboard_url: Option<String>,
    /// Provision and update only, since 2.16.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<InstanceMetadata>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The body of last_operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LastOperation {
    /// Where the operation stands.
    pub state: State,
    /// Progress or cause, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Failed update or deprovision, since 2.16.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance_usable: Option<bool>,
    /// Failed update, since 2.16.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update_repeatable: Option<bool>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

impl LastOperation {
    /// A state with an optional text.
    pub fn new(state: State, description: Option<String>) -> Self {
        Self {
            state,
            description,
            instance_usable: None,
            update_repeatable: None,
            extra: Extra::default(),
        }
    }
}
