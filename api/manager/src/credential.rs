//! Broker-platform credentials: `/v1/credentials`. What a platform's registration of a broker logs in with
//! at the manager's OSB door.
//!
//! The proxies call it as the platform. The rule: the platform is the caller and never a field of the body.

use crate::lenient::{is_false, null_as_default};
use crate::{Base, Secret};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The collection; only `PUT`.
pub const PATH: &str = "/v1/credentials";

/// A broker-platform credential. Both pairs are valid until the new one is activated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Credential {
    /// What every resource has.
    #[serde(flatten)]
    pub base: Base,
    /// The user.
    pub username: String,
    /// The bcrypt hash of the password.
    #[schema(value_type = String, format = Password)]
    pub password_hash: Secret<String>,
    /// The user before; empty when there is none.
    pub old_username: String,
    /// The bcrypt hash of the password before; empty when there is none.
    #[schema(value_type = String, format = Password)]
    pub old_password_hash: Secret<String>,
    /// The platform.
    pub platform_id: String,
    /// The broker.
    pub broker_id: String,
    /// The notification that led to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notification_id: Option<String>,
    /// Whether the platform uses the new pair.
    pub active: bool,
}

/// A new pair for a broker on the calling platform.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NewCredential {
    /// The broker.
    pub broker_id: String,
    /// The user.
    pub username: String,
    /// The bcrypt hash of the password.
    #[schema(value_type = String, format = Password)]
    pub password_hash: Secret<String>,
    /// The notification about the broker that leads to it; empty or left out when none does.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "String::is_empty"
    )]
    pub notification_id: String,
}

/// How to put a pair.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, IntoParams,
)]
#[into_params(parameter_in = Query)]
pub struct CredentialQuery {
    /// Also over an active pair, without a notification.
    #[serde(default, skip_serializing_if = "is_false")]
    pub force: bool,
}
