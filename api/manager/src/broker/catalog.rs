//! What became of a broker's catalog. Ours: Peripli looked at a catalog on registration and PATCH only.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What became of a broker's catalog.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CatalogState {
    /// When the broker was last seen to have the catalog that is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fetched_at: Option<Timestamp>,
    /// What the broker calls this version of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// Why the last look failed; left out when it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// A change that was not taken over, because it would break what runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldChange>,
}

/// A catalog change in quarantine. Plans are named `offering/plan`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HeldChange {
    /// When it was seen first.
    pub at: Timestamp,
    /// Why it is held.
    pub reason: String,
    /// Plans that the broker has no more.
    pub removed_plans: Vec<String>,
    /// Plans that are new.
    pub added_plans: Vec<String>,
    /// Plans that differ.
    pub changed_plans: Vec<String>,
}
