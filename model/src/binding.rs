//! A service binding, as the manager tracks it. Its credentials are sealed in the store and read apart.

use crate::Meta;
use crate::id::{BindingId, InstanceId};
use serde_json::Value;

/// A binding, without its credentials.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// Which one.
    pub id: BindingId,
    /// For people.
    pub name: String,
    /// Of which instance.
    pub instance_id: InstanceId,
    /// As the broker answered.
    pub syslog_drain_url: Option<String>,
    /// As the broker answered.
    pub route_service_url: Option<String>,
    /// As the broker answered.
    pub volume_mounts: Option<Value>,
    /// As the broker answered.
    pub endpoints: Option<Value>,
    /// What the platform said about its surroundings.
    pub context: Option<Value>,
    /// What it is for.
    pub bind_resource: Option<Value>,
    /// What every resource has.
    pub meta: Meta,
}
