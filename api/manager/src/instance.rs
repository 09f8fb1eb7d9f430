//! Service instances: `/v1/service_instances`.
//!
//! The rule: a field that must be refused when it is sent (`id`, `shared`, `referenced_instance_id`) has a
//! place in the body's shape, so that the model sees it; what is only ignored (`ready`, `usable`, `context`,
//! `service_id`) has none.

use crate::{Base, LabelChange, Labels, Object, Operation, Patch, Secret};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The collection.
pub const PATH: &str = "/v1/service_instances";

/// A service instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Instance {
    /// What every resource has.
    #[serde(flatten)]
    pub base: Base,
    /// What was last done to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation: Option<Box<Operation>>,
    /// Its name.
    pub name: String,
    /// The plan.
    pub service_plan_id: String,
    /// The shared instance that this one stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referenced_instance_id: Option<String>,
    /// The platform it belongs to.
    pub platform_id: String,
    /// Its page for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dashboard_url: Option<String>,
    /// The version it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maintenance_info: Option<Object>,
    /// Where it is used, as the platform says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Object>,
    /// Whether it can be used.
    pub usable: bool,
    /// Whether it is shared; left out when it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<bool>,
    /// How it does; in a list only with `attach_last_operations=true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<InstanceState>,
    /// What happened, what blocks it and what can be done next; left out when all is well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// How an instance does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum InstanceState {
    /// It is being made.
    Creating,
    /// It is there and nothing is being done to it.
    Ready,
    /// It is being changed.
    Updating,
    /// It is being removed.
    Deleting,
    /// It was not made. It can be deleted, and made anew.
    #[serde(rename = "create failed")]
    CreateFailed,
    /// It was not changed and can be used as it was. The change can be tried again, replaced or taken back.
    #[serde(rename = "update failed")]
    UpdateFailed,
    /// It was not removed and can be used. It can be deleted again, or kept.
    #[serde(rename = "delete failed")]
    DeleteFailed,
    /// The broker says that it cannot be used.
    Unusable,
}

/// A service instance to be made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NewInstance {
    /// Refused: the manager makes up the id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(deprecated)]
    pub id: Option<Value>,
    /// Its name.
    pub name: String,
    /// The plan; or `service_offering_name` and `service_plan_name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_plan_id: Option<String>,
    /// The offering, by the broker's name for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_offering_name: Option<String>,
    /// The plan, by the broker's name for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_plan_name: Option<String>,
    /// For the broker; not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub parameters: Option<Secret<Object>>,
    /// The version to have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maintenance_info: Option<Object>,
    /// `service-manager`, or left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform_id: Option<String>,
    /// Its page for people; the broker's word counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dashboard_url: Option<String>,
    /// Refused: an instance is shared after it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(deprecated)]
    pub shared: Option<bool>,
    /// Refused: belongs in `parameters`, with a reference plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(deprecated)]
    pub referenced_instance_id: Option<String>,
    /// Labels.
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
}

/// A change of a service instance. `shared` stands alone.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InstancePatch {
    /// Refused: the id never changes.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<Value>, deprecated)]
    pub id: Patch<Value>,
    /// A new name.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub name: Patch<String>,
    /// Another plan.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub service_plan_id: Patch<String>,
    /// For the broker; not kept.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<Object>)]
    pub parameters: Patch<Secret<Object>>,
    /// The version to have.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<Object>)]
    pub maintenance_info: Patch<Object>,
    /// Moves it to the manager: `service-manager`.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub platform_id: Patch<String>,
    /// Its page for people; the broker's word counts.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub dashboard_url: Patch<String>,
    /// Shares it, or ends that.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<bool>)]
    pub shared: Patch<bool>,
    /// Refused: what an instance stands for never changes.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>, deprecated)]
    pub referenced_instance_id: Patch<String>,
    /// Changes of labels, in order.
    #[serde(
        default,
        deserialize_with = "crate::lenient::null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub labels: Vec<LabelChange>,
}

/// The parameters of an instance or binding, as the broker says them: an object, or `null` when it says none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Option<Object>)]
pub struct Parameters(pub Option<Secret<Object>>);
