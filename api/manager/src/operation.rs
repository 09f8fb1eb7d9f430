//! What was or is being done to a resource: `/v1/operations`, and `/v1/{collection}/{id}/operations/{id}`.
//!
//! Also the `last_operation` of every resource. The rule: `reschedule_timestamp` and `deletion_scheduled` are never
//! left out and never empty; a time that is none is the zero time. What stands below them the old server did not
//! have, and it is left out when there is nothing to say.

use crate::{Base, BrokerError, Secret, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The collection of all operations.
pub const PATH: &str = "/v1/operations";

/// What was or is being done to a resource.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Operation {
    /// What every resource has.
    #[serde(flatten)]
    pub base: Base,
    /// In words; left out when there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What is done.
    #[serde(rename = "type")]
    pub kind: OperationType,
    /// How far it is.
    pub state: OperationState,
    /// To which resource.
    pub resource_id: String,
    /// What else it creates, changes or deletes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transitive_resources: Vec<TransitiveResource>,
    /// The path of the resource's collection, as in `/v1/service_instances`.
    pub resource_type: String,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<OperationErrors>,
    /// The platform it was asked for on.
    pub platform_id: String,
    /// Finds the request in logs, traces and the audit log.
    pub correlation_id: String,
    /// The operation of a cascade that waits for this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// The operation that began the cascade.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cascade_root_id: Option<String>,
    /// Whether it goes on in the background.
    #[serde(default)]
    #[schema(required = true)]
    pub reschedule: bool,
    /// When it goes on; the zero time when it does not.
    #[serde(default)]
    #[schema(required = true)]
    pub reschedule_timestamp: Timestamp,
    /// Since when what it left behind is being deleted; the zero time when nothing is.
    #[serde(default)]
    #[schema(required = true)]
    pub deletion_scheduled: Timestamp,
    /// How often it was tried; left out before the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u64>,
    /// When it is tried next, or the broker is asked next; left out when it has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_attempt_at: Option<Timestamp>,
    /// When it must have ended: what is not done by then has failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// What happened so far, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<OperationStep>,
    /// What went wrong first. It is kept, whatever goes wrong later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_error: Option<String>,
    /// What went wrong last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// What the broker said, in its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BrokerError>)]
    pub broker_error: Option<Secret<BrokerError>>,
}

/// Something that happened to an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OperationStep {
    /// When.
    pub at: Timestamp,
    /// What, for people.
    pub description: String,
}

/// What is done to a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OperationType {
    /// It is made.
    Create,
    /// It is changed.
    Update,
    /// It is removed.
    Delete,
}

/// How far an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum OperationState {
    /// Not begun.
    #[serde(rename = "pending")]
    Pending,
    /// Under way.
    #[serde(rename = "in progress")]
    InProgress,
    /// Ended well.
    #[serde(rename = "succeeded")]
    Succeeded,
    /// Ended badly.
    #[serde(rename = "failed")]
    Failed,
}

/// Why an operation failed: `error` and `description`, or the errors of a cascade, or of a platform's poll.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OperationErrors {
    /// One word for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What happened, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What failed in a cascade.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cascade_errors: Vec<CascadeError>,
    /// What a platform's polls saw, each a JSON text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
}

impl OperationErrors {
    /// A word and a description.
    pub fn new(word: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            error: Some(word.into()),
            description: Some(description.into()),
            cascade_errors: Vec::new(),
            errors: Vec::new(),
        }
    }
}

/// One failure in a cascade.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CascadeError {
    /// The collection of what it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_type: Option<String>,
    /// What it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// The collection of what could not be deleted.
    pub resource_type: String,
    /// What could not be deleted.
    pub resource_id: String,
    /// Why.
    pub message: String,
}

/// Something else that an operation creates, changes or deletes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TransitiveResource {
    /// Which one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Or all that fulfil this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Value>,
    /// The path of its collection.
    #[serde(rename = "type")]
    pub resource_type: String,
    /// What is done to it.
    pub operation_type: OperationType,
}
