//! Messages about service instances: provision, fetch, update.
//!
//! Parameters are secrets: people put passwords there. Unknown fields live in `extra`.

use crate::{Context, Extra, MaintenanceInfo, Object, PlanId, Secret, ServiceId, id};
use serde::{Deserialize, Deserializer, Serialize};

/// Body of `PUT /v2/service_instances/{i}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProvisionRequest {
    /// The offering.
    pub service_id: ServiceId,
    /// The plan, of that offering.
    pub plan_id: PlanId,
    /// Deprecated and still required.
    #[serde(deserialize_with = "guid")]
    pub organization_guid: String,
    /// Deprecated and still required.
    #[serde(deserialize_with = "guid")]
    pub space_guid: String,
    /// Where in the platform.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// What the user asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Secret<Object>>,
    /// The version of the plan that the platform read in the catalog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maintenance_info: Option<MaintenanceInfo>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Body of a 200 or 201 to provision.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProvisionResponse {
    /// A page for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dashboard_url: Option<String>,
    /// Labels and attributes, since 2.16.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<InstanceMetadata>,
    /// Some brokers send it with 200 too; it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a broker says about an instance beside its state (2.16).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct InstanceMetadata {
    /// For selecting; they replace the platform's whole set.
    #[serde(default, skip_serializing_if = "Object::is_empty")]
    pub labels: Object,
    /// For reading.
    #[serde(default, skip_serializing_if = "Object::is_empty")]
    pub attributes: Object,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Body of a 200 to `GET /v2/service_instances/{i}`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Instance {
    /// The offering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_id: Option<ServiceId>,
    /// The plan it has now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<PlanId>,
    /// A page for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dashboard_url: Option<String>,
    /// The parameters in force; a broker may leave out sensitive ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Secret<Object>>,
    /// The version on the instance, not the catalog's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maintenance_info: Option<MaintenanceInfo>,
    /// Labels and attributes, since 2.16.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<InstanceMetadata>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Body of `PATCH /v2/service_instances/{i}`. An absent part stays as it is (B40).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UpdateRequest {
    /// The offering; it cannot change.
    pub service_id: ServiceId,
    /// The wanted plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<PlanId>,
    /// Where in the platform, now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// What the user wants changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Secret<Object>>,
    /// The version to bring the instance to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maintenance_info: Option<MaintenanceInfo>,
    /// What the platform believes was there before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_values: Option<PreviousValues>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What the platform believes was there before an update.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PreviousValues {
    /// The plan before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<PlanId>,
    /// The maintenance version before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maintenance_info: Option<MaintenanceInfo>,
    /// Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_id: Option<ServiceId>,
    /// Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<String>,
    /// Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space_id: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Body of a 200 to update.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UpdateResponse {
    /// Absent means: the old one stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dashboard_url: Option<String>,
    /// Labels and attributes, since 2.16.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<InstanceMetadata>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The deprecated ids follow the rule for ids, without a type of their own.
fn guid<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    id::check("the value", &text).map_err(serde::de::Error::custom)?;
    Ok(text)
}
