//! The catalog: offerings, plans, schemas.
//!
//! Readers are lenient (what is missing has the protocol's default), writers exact: `free` is always
//! written, because platforms disagree on its default (T13). An optional field that is `null` counts as
//! absent, because brokers written in Go send empty lists that way.

mod fields;
mod schema;
mod validate;

pub use validate::problems_of;

use crate::{Extra, Object, PlanId, Secret, ServiceId};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// Body of `GET /v2/catalog`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Catalog {
    /// The offerings; may be empty.
    pub services: Vec<Offering>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Catalog {
    /// An offering by id.
    pub fn offering(&self, id: &str) -> Option<&Offering> {
        self.services
            .iter()
            .find(|offering| offering.id.as_str() == id)
    }

    /// An offering and one of its plans by id.
    pub fn plan(&self, service: &str, plan: &str) -> Option<(&Offering, &Plan)> {
        let offering = self.offering(service)?;
        offering.plan(plan).map(|plan| (offering, plan))
    }
}

/// A service offering.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Offering {
    /// Unique in the catalog, friendly to a command line.
    pub name: String,
    /// Unique everywhere, never changes.
    pub id: ServiceId,
    /// For people.
    pub description: String,
    /// Plans may override it.
    pub bindable: bool,
    /// At least one.
    pub plans: Vec<Plan>,
    /// For searching.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub tags: Vec<String>,
    /// `syslog_drain`, `route_forwarding`, `volume_mount`.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub requires: Vec<String>,
    /// Instances can be fetched.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "is_false"
    )]
    pub instances_retrievable: bool,
    /// Bindings can be fetched.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "is_false"
    )]
    pub bindings_retrievable: bool,
    /// An update may carry nothing but a new context.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "is_false"
    )]
    pub allow_context_updates: bool,
    /// Free-form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
    /// Single sign-on of the dashboard (Cloud Foundry).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dashboard_client: Option<DashboardClient>,
    /// Plans may change; the spelling is the protocol's. Plans may override it.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "is_false"
    )]
    pub plan_updateable: bool,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Offering {
    /// An offering that can be bound and has nothing else said of it. Set what differs:
    /// `Offering { plan_updateable: true, ..Offering::new(id, "db", "A database", plans) }`.
    pub fn new(
        id: ServiceId,
        name: impl Into<String>,
        description: impl Into<String>,
        plans: Vec<Plan>,
    ) -> Self {
        Self {
            name: name.into(),
            id,
            description: description.into(),
            bindable: true,
            plans,
            tags: Vec::new(),
            requires: Vec::new(),
            instances_retrievable: false,
            bindings_retrievable: false,
            allow_context_updates: false,
            metadata: None,
            dashboard_client: None,
            plan_updateable: false,
            extra: Extra::new(),
        }
    }

    /// A plan by id.
    pub fn plan(&self, id: &str) -> Option<&Plan> {
        self.plans.iter().find(|plan| plan.id.as_str() == id)
    }

    /// Whether instances of this plan can be bound: the plan's word, else the offering's.
    pub fn binds(&self, plan: &Plan) -> bool {
        plan.bindable.unwrap_or(self.bindable)
    }

    /// Whether instances of this plan may change plan: the plan's word, else the offering's.
    pub fn changes_plan(&self, plan: &Plan) -> bool {
        plan.plan_updateable.unwrap_or(self.plan_updateable)
    }
}

/// A plan of an offering.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Unique everywhere, never changes.
    pub id: PlanId,
    /// Unique in the offering.
    pub name: String,
    /// For people.
    pub description: String,
    /// Free-form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
    /// Costs nothing. Absent means true.
    #[serde(default = "yes", deserialize_with = "lenient_yes")]
    pub free: bool,
    /// Overrides the offering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bindable: Option<bool>,
    /// Bindings can be rotated (2.17).
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "is_false"
    )]
    pub binding_rotatable: bool,
    /// Overrides the offering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_updateable: Option<bool>,
    /// What parameters must look like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schemas: Option<Schemas>,
    /// Seconds after which a platform gives up polling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum_polling_duration: Option<u64>,
    /// The version of what runs behind the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maintenance_info: Option<MaintenanceInfo>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The version of what runs behind a plan or an instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaintenanceInfo {
    /// SemVer 2.0.
    pub version: String,
    /// What changed, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Single sign-on of a dashboard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DashboardClient {
    /// The OAuth client.
    pub id: String,
    /// Its secret.
    pub secret: Secret<String>,
    /// Where it may send people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_uri: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What parameters must look like.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Schemas {
    /// Of instances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_instance: Option<InstanceSchemas>,
    /// Of bindings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_binding: Option<BindingSchemas>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Schemas of instances.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct InstanceSchemas {
    /// For provision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub create: Option<InputSchema>,
    /// For update.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update: Option<InputSchema>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Schemas of bindings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BindingSchemas {
    /// For bind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub create: Option<InputSchema>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A JSON Schema under `parameters`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct InputSchema {
    /// The schema itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Value>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Plan {
    /// A free plan with nothing else said of it. Set what differs with `Plan { .., ..Plan::new(..) }`.
    pub fn new(id: PlanId, name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            id,
            name: name.into(),
            description: description.into(),
            metadata: None,
            free: true,
            bindable: None,
            binding_rotatable: false,
            plan_updateable: None,
            schemas: None,
            maximum_polling_duration: None,
            maintenance_info: None,
            extra: Extra::new(),
        }
    }

    /// The schema for provision parameters.
    pub fn create_schema(&self) -> Option<&Value> {
        self.schemas
            .as_ref()?
            .service_instance
            .as_ref()?
            .create
            .as_ref()?
            .parameters
            .as_ref()
    }

    /// The schema for update parameters.
    pub fn update_schema(&self) -> Option<&Value> {
        self.schemas
            .as_ref()?
            .service_instance
            .as_ref()?
            .update
            .as_ref()?
            .parameters
            .as_ref()
    }

    /// The schema for bind parameters.
    pub fn bind_schema(&self) -> Option<&Value> {
        self.schemas
            .as_ref()?
            .service_binding
            .as_ref()?
            .create
            .as_ref()?
            .parameters
            .as_ref()
    }
}

fn yes() -> bool {
    true
}

/// `null` is the default.
fn lenient<'de, T: Default + Deserialize<'de>, D: Deserializer<'de>>(
    reader: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(reader)?.unwrap_or_default())
}

/// `null` is true.
fn lenient_yes<'de, D: Deserializer<'de>>(reader: D) -> Result<bool, D::Error> {
    Ok(Option::deserialize(reader)?.unwrap_or(true))
}

fn is_false(value: &bool) -> bool {
    !*value
}
