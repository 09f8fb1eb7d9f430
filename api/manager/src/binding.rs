//! Service bindings: `/v1/service_bindings`.
//!
//! The rule: whatever lets somebody in is a [`Secret`], and that includes addresses that brokers put a
//! password into. Fields that must be refused when they are sent have a place in the body's shape.

use crate::{Base, LabelChange, Labels, Object, Operation, Patch, Secret};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The collection.
pub const PATH: &str = "/v1/service_bindings";

/// A service binding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Binding {
    /// What every resource has.
    #[serde(flatten)]
    pub base: Base,
    /// What was last done to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation: Option<Box<Operation>>,
    /// Its name.
    pub name: String,
    /// The instance.
    pub service_instance_id: String,
    /// Where logs go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub syslog_drain_url: Option<Secret<String>>,
    /// Where requests go through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub route_service_url: Option<Secret<String>>,
    /// Volumes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub volume_mounts: Option<Secret<Value>>,
    /// Hosts and ports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoints: Option<Value>,
    /// Where it is used, as the platform says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Object>,
    /// What uses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bind_resource: Option<Object>,
    /// What lets an application in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub credentials: Option<Secret<Value>>,
    /// What was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub parameters: Option<Secret<Object>>,
}

/// A service binding to be made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NewBinding {
    /// Refused: the manager makes up the id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(deprecated)]
    pub id: Option<Value>,
    /// Its name; unique within the instance.
    pub name: String,
    /// The instance.
    pub service_instance_id: String,
    /// For the broker; not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub parameters: Option<Secret<Object>>,
    /// What uses it; kept, not sent to the broker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bind_resource: Option<Object>,
    /// Labels.
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
}

/// A change of a service binding: its name and its labels.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BindingPatch {
    /// Refused: the id never changes.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<Value>, deprecated)]
    pub id: Patch<Value>,
    /// A new name.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub name: Patch<String>,
    /// Refused: a binding stays with its instance.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<Value>, deprecated)]
    pub service_instance_id: Patch<Value>,
    /// Refused: make a new binding instead.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<Value>, deprecated)]
    pub parameters: Patch<Secret<Value>>,
    /// Refused: make a new binding instead.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<Value>, deprecated)]
    pub bind_resource: Patch<Value>,
    /// Changes of labels, in order.
    #[serde(
        default,
        deserialize_with = "crate::lenient::null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub labels: Vec<LabelChange>,
}
