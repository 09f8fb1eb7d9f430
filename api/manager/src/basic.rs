//! User and password, as brokers and platforms have them.

use crate::Secret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// User and password.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BasicCredentials {
    /// The user.
    #[serde(default)]
    #[schema(required = true)]
    pub username: String,
    /// The password.
    #[serde(default)]
    #[schema(required = true, value_type = String, format = Password)]
    pub password: Secret<String>,
}
