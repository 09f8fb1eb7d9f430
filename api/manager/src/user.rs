//! People who log in at the built-in issuer: `/v1/users`. Ours.
//!
//! The rule: a password goes in and never comes out.

use crate::{Patch, Secret, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The collection.
pub const PATH: &str = "/v1/users";

/// What a caller may do.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads.
    Viewer,
    /// Reads, and works with instances and bindings.
    Developer,
    /// Everything but purging.
    Admin,
    /// Removes records without asking the broker.
    Purge,
}

/// A person who logs in at the built-in issuer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct User {
    /// Never changes; the `sub` of tokens.
    pub id: String,
    /// What is typed at login; unique.
    pub name: String,
    /// What they may do.
    pub roles: Vec<Role>,
    /// The tenant they are confined to; left out when they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// When they were added.
    pub created_at: Timestamp,
    /// When they were changed last.
    pub updated_at: Timestamp,
}

/// A person to be added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewUser {
    /// What is typed at login; unique.
    pub name: String,
    /// The password; kept as a hash.
    #[schema(value_type = String, format = Password)]
    pub password: Secret<String>,
    /// What they may do.
    pub roles: Vec<Role>,
    /// The tenant to confine them to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
}

/// A change of a person.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UserPatch {
    /// A new name.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub name: Patch<String>,
    /// A new password.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>, format = Password)]
    pub password: Patch<Secret<String>>,
    /// What they may do from now on.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<Vec<Role>>)]
    pub roles: Patch<Vec<Role>>,
    /// Another tenant; `null` confines them to none.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub tenant: Patch<String>,
}
