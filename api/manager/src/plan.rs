//! Service plans: `/v1/service_plans`. They come from catalogs; only labels can be changed.

use crate::{Base, LabelChange, Object, Operation};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The collection.
pub const PATH: &str = "/v1/service_plans";

/// A plan of a service offering.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Plan {
    /// What every resource has.
    #[serde(flatten)]
    pub base: Base,
    /// What was last done to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation: Option<Box<Operation>>,
    /// Its name here; unique within the offering.
    pub name: String,
    /// For people.
    pub description: String,
    /// What the broker calls it.
    pub catalog_id: String,
    /// The broker's name for it.
    pub catalog_name: String,
    /// Whether it costs nothing.
    pub free: bool,
    /// Whether instances can be bound; left out when the offering decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bindable: Option<bool>,
    /// Whether instances can change their plan; left out when the offering decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_updateable: Option<bool>,
    /// Free-form. `supportedPlatforms`, `supportedPlatformNames` and `excludedPlatformNames` say where it may be
    /// offered, `supportsInstanceSharing` whether its instances may be shared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
    /// JSON schemas of the parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schemas: Option<Object>,
    /// How long an operation may take, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum_polling_duration: Option<u64>,
    /// The version that new instances have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maintenance_info: Option<Object>,
    /// The offering.
    pub service_offering_id: String,
}

/// A change of a plan. Any other field is refused.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanPatch {
    /// Changes of labels, in order.
    #[serde(
        default,
        deserialize_with = "crate::lenient::null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub labels: Vec<LabelChange>,
}
