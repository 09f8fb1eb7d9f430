//! Who did what, from where, with which outcome: `/v1/audit`. Ours; Peripli has no audit log.
//!
//! The rule: `detail` says what changed by name and never by a value that may be secret.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The log; only `GET`, newest first.
pub const PATH: &str = "/v1/audit";

/// One record of the audit log. It is never changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditRecord {
    /// Its place in the log.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What was done, as in `create`, `update`, `delete`, `login`, `rotate`, `activate`.
    pub action: String,
    /// The path of the collection; empty when it was done to no resource.
    pub resource_type: String,
    /// Which resource; empty when none.
    pub resource_id: String,
    /// The address of the caller.
    pub remote: String,
    /// Finds the request in logs, traces and operations.
    pub correlation_id: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The HTTP status that was answered; left out when there was no request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// In words; left out when there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

/// Who did it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Actor {
    /// `platform`, `person`, `system` or `anonymous`.
    pub kind: String,
    /// What people call them.
    pub name: String,
    /// The id of the platform, or the subject of the token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Done.
    Succeeded,
    /// Not allowed, or not possible as asked; nothing changed.
    Refused,
    /// Tried, and it went wrong.
    Failed,
}
