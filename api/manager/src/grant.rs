//! Who may refer to a shared instance beside its own tenant: `/v1/service_instances/{id}/grants`.
//!
//! The rule: a grant is for a tenant or for a platform, and it never changes; it is made and taken back.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A permission to refer to a shared instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Grant {
    /// Unique; never changes.
    pub id: String,
    /// The shared instance.
    pub service_instance_id: String,
    /// The tenant that may refer to it; or `platform_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The platform that may refer to it; or `tenant`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform_id: Option<String>,
    /// Who granted it.
    pub granted_by: String,
    /// When it was granted.
    pub created_at: Timestamp,
}

/// A permission to be granted: one of `tenant` and `platform_id`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewGrant {
    /// The tenant that may refer to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The platform that may refer to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform_id: Option<String>,
}
