//! Whether the manager is well: `/v1/monitor/health` as Peripli shows it, and `/healthz` and `/readyz` for
//! those who start and stop it.
//!
//! The rule: `error` and `details` of an indicator are only for callers who may see them.

use crate::Timestamp;
use crate::lenient::is_false;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Every indicator; 503 when the status is `DOWN`.
pub const PATH: &str = "/v1/monitor/health";
/// Whether the process is alive.
pub const LIVENESS_PATH: &str = "/healthz";
/// Whether it can take requests; 503 with reasons when not.
pub const READINESS_PATH: &str = "/readyz";

/// How the manager is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// All together.
    pub status: HealthStatus,
    /// One by one, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub details: BTreeMap<String, Indicator>,
}

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum HealthStatus {
    /// Well.
    Up,
    /// Not well.
    Down,
    /// Not looked at yet.
    Unknown,
}

/// One thing that is looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Indicator {
    /// Its name.
    pub name: String,
    /// How it is.
    pub status: HealthStatus,
    /// What is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether the manager is down when this is; left out when false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub fatal: bool,
    /// What was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// When it was looked at.
    pub check_time: Timestamp,
    /// How often in a row it was not well.
    pub num_failures: u64,
    /// Since when; the zero time when it is well.
    pub first_failure_at: Timestamp,
}

/// Whether the manager can take requests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Readiness {
    /// Whether it can.
    pub ready: bool,
    /// Why not; left out when it can.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
}

/// One thing that is in the way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reason {
    /// What, as in `database`.
    pub what: String,
    /// What is wrong with it, for people; never a secret.
    pub why: String,
}
