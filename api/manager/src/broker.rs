//! Brokers: `/v1/service_brokers`.
//!
//! The rule: `credentials` stand in the answer to a registration and nowhere else.

mod catalog;
mod credentials;

pub use catalog::{CatalogState, HeldChange};
pub use credentials::{BearerCredentials, BrokerCredentials, OAuth2Credentials, TlsCredentials};

use crate::{Base, LabelChange, Labels, Operation, Patch};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The collection.
pub const PATH: &str = "/v1/service_brokers";

/// A registered broker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Broker {
    /// What every resource has.
    #[serde(flatten)]
    pub base: Base,
    /// What was last done to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation: Option<Box<Operation>>,
    /// Its name; unique.
    pub name: String,
    /// For people.
    pub description: String,
    /// Where its `/v2/catalog` is.
    pub broker_url: String,
    /// How the manager logs in there; only in the answer to the registration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credentials: Option<BrokerCredentials>,
    /// What became of its catalog; read-only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalog: Option<CatalogState>,
}

/// A broker to be registered. Its catalog is fetched at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NewBroker {
    /// A name of your own choice for programs; made up when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its name; unique, at most 255 bytes.
    pub name: String,
    /// Where its `/v2/catalog` is.
    pub broker_url: String,
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// How the manager logs in there; at least one kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(required = true, nullable = false)]
    pub credentials: Option<BrokerCredentials>,
    /// Labels.
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
}

/// A change of a broker. Its catalog is fetched again, even when nothing changes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BrokerPatch {
    /// A new name.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub name: Patch<String>,
    /// A new address; needs the credentials too.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub broker_url: Patch<String>,
    /// A new description.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub description: Patch<String>,
    /// New credentials; they take the place of all there were.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<BrokerCredentials>)]
    pub credentials: Patch<BrokerCredentials>,
    /// Changes of labels, in order.
    #[serde(
        default,
        deserialize_with = "crate::lenient::null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub labels: Vec<LabelChange>,
}
