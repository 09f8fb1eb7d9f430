//! Service offerings: `/v1/service_offerings`. They come from catalogs; only labels can be changed.

use crate::{Base, LabelChange, Object, Operation, Plan};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The collection.
pub const PATH: &str = "/v1/service_offerings";

/// A service offering of a broker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Offering {
    /// What every resource has.
    #[serde(flatten)]
    pub base: Base,
    /// What was last done to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation: Option<Box<Operation>>,
    /// Its name here; unique within the broker.
    pub name: String,
    /// For people.
    pub description: String,
    /// Whether instances can be bound; plans may say otherwise.
    pub bindable: bool,
    /// Whether instances can be read at the broker.
    pub instances_retrievable: bool,
    /// Whether bindings can be read at the broker.
    pub bindings_retrievable: bool,
    /// Whether instances can change their plan; plans may say otherwise.
    pub plan_updateable: bool,
    /// Whether an instance may be told of a new context, as a transfer does.
    pub allow_context_updates: bool,
    /// For searching.
    #[serde(
        default,
        deserialize_with = "crate::lenient::null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub tags: Vec<String>,
    /// What a platform must allow: `syslog_drain`, `route_forwarding`, `volume_mount`.
    #[serde(
        default,
        deserialize_with = "crate::lenient::null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub requires: Vec<String>,
    /// Free-form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
    /// The broker.
    pub broker_id: String,
    /// What the broker calls it.
    pub catalog_id: String,
    /// The broker's name for it.
    pub catalog_name: String,
    /// Its plans: in notifications, and where `attach_plans` asks for them.
    #[serde(
        default,
        deserialize_with = "crate::lenient::null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub plans: Vec<Plan>,
}

/// A change of an offering. Any other field is refused.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OfferingPatch {
    /// Changes of labels, in order.
    #[serde(
        default,
        deserialize_with = "crate::lenient::null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub labels: Vec<LabelChange>,
}
