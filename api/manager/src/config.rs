//! The configuration in force: `/v1/config`, and what can be changed while running: `/v1/config/logging`.
//!
//! The rule: whoever fills [`EffectiveConfig`] has put stars in the place of secrets; it is shown as it is.

use crate::{Object, Patch};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The configuration in force.
pub const PATH: &str = "/v1/config";
/// The part on logging; `PUT` changes it.
pub const LOGGING_PATH: &str = "/v1/config/logging";

/// The configuration in force, by section and key. Secrets are stars.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object)]
pub struct EffectiveConfig(pub Object);

/// How the manager logs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LoggingConfig {
    /// What is logged, from here on upwards: `error`, `warn`, `info`, `debug`, `trace`.
    pub level: String,
    /// `text` or `json`.
    pub format: String,
    /// Where to.
    pub output: String,
}

/// A change of how the manager logs. `output` cannot change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LoggingPatch {
    /// What is logged, from here on upwards.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub level: Patch<String>,
    /// `text` or `json`.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub format: Patch<String>,
    /// Must be what it is, or be left out.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub output: Patch<String>,
}
