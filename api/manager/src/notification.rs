//! What platforms are told on the WebSocket `/v1/notifications`, one JSON text per change.
//!
//! The payload is a type parameter: a stored payload is sent as it is (raw JSON), a receiver that knows the
//! resource reads [`BrokerPayload`] or [`VisibilityPayload`]. The rule: no credentials in a payload, and a
//! created, modified or deleted resource has the sides that proxies insist on: `new`, both, `old`.

use crate::{Base, Broker, LabelChange, Offering, Plan, Visibility};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The stream.
pub const PATH: &str = "/v1/notifications";

/// A change that a platform is told of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Notification<P> {
    /// What every resource has.
    #[serde(flatten)]
    pub base: Base,
    /// The path of the collection: `/v1/service_brokers` or `/v1/visibilities`.
    pub resource: String,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: Change,
    /// The platform that is told; left out when all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform_id: Option<String>,
    /// Its place in the order of all changes; a client that connects again names the last one it has.
    pub revision: i64,
    /// What changed.
    #[schema(inline)]
    pub payload: P,
    /// Finds the request in logs, traces and the audit log.
    pub correlation_id: String,
}

/// What happened to a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Change {
    /// It is there for the receiver.
    Created,
    /// It differs.
    Modified,
    /// It is gone for the receiver.
    Deleted,
}

/// A resource before and after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Payload<R, A> {
    /// After; left out when it was deleted.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub new: Option<Side<R, A>>,
    /// Before; left out when it was created.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub old: Option<Side<R, A>>,
    /// The changes of labels that were asked for.
    #[serde(
        default,
        deserialize_with = "crate::lenient::null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub label_changes: Vec<LabelChange>,
}

// A plain `default` would ask for `R: Default`.
fn none<T>() -> Option<T> {
    None
}

/// A resource at one moment, with what a platform needs beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Side<R, A> {
    /// The resource.
    pub resource: R,
    /// What else a platform needs to act on it.
    pub additional: A,
}

/// The payload about a broker.
pub type BrokerPayload = Payload<Broker, BrokerDetails>;

/// The payload about a visibility.
pub type VisibilityPayload = Payload<Visibility, VisibilityDetails>;

/// What a platform needs beside a broker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BrokerDetails {
    /// Its offerings with their plans; never empty.
    pub services: Vec<Offering>,
}

/// What a platform needs beside a visibility.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VisibilityDetails {
    /// The broker of the plan.
    pub broker_id: String,
    /// Its name.
    pub broker_name: String,
    /// The plan.
    pub service_plan: Plan,
}

/// Where to go on.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, IntoParams,
)]
#[into_params(parameter_in = Query)]
pub struct NotificationQuery {
    /// The last revision that the platform has; left out for new changes only. 410 when the changes after it
    /// are not kept any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_notification_revision: Option<i64>,
}
