//! A service instance, as the manager tracks it.

use crate::Meta;
use crate::id::{InstanceId, PlanId, PlatformId};
use serde_json::Value;

/// An instance.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Which one.
    pub id: InstanceId,
    /// For people.
    pub name: String,
    /// Of which plan.
    pub plan_id: PlanId,
    /// Where it was made.
    pub platform_id: PlatformId,
    /// Where its web page is.
    pub dashboard_url: Option<String>,
    /// What is installed.
    pub maintenance_info: Option<Value>,
    /// What the platform said about its surroundings.
    pub context: Option<Value>,
    /// The other instance it stands for.
    pub referenced_instance_id: Option<InstanceId>,
    /// Whether others may refer to it; `None` when that was never asked.
    pub shared: Option<bool>,
    /// Whether it can be used after its last operation.
    pub usable: bool,
    /// What every resource has.
    pub meta: Meta,
}
