//! Visibilities: `/v1/visibilities`. Which platform may offer which plan.

use crate::{Base, LabelChange, Labels, Operation, Patch};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The collection.
pub const PATH: &str = "/v1/visibilities";

/// A plan that a platform may offer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Visibility {
    /// What every resource has.
    #[serde(flatten)]
    pub base: Base,
    /// What was last done to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation: Option<Box<Operation>>,
    /// The platform; empty when the plan is for all of them.
    pub platform_id: String,
    /// The plan.
    pub service_plan_id: String,
}

/// A plan to be shown to a platform.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NewVisibility {
    /// A name of your own choice for programs; made up when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The platform; empty or left out for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform_id: Option<String>,
    /// The plan.
    pub service_plan_id: String,
    /// Labels; on Cloud Foundry `organization_guid` names the organizations that see the plan.
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
}

/// A change of a visibility.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VisibilityPatch {
    /// Another platform; `null` or empty for all of them.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub platform_id: Patch<String>,
    /// Another plan.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub service_plan_id: Patch<String>,
    /// Changes of labels, in order.
    #[serde(
        default,
        deserialize_with = "crate::lenient::null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub labels: Vec<LabelChange>,
}
