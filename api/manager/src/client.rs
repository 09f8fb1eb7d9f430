//! Programs that log in at the built-in issuer with a secret of their own: `/v1/clients`. Ours.
//!
//! The rule: a secret is shown once, in the answer that made it.

use crate::{Patch, Role, Secret, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The collection.
pub const PATH: &str = "/v1/clients";

/// A program that logs in at the built-in issuer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Client {
    /// Its `client_id`.
    pub id: String,
    /// For people.
    pub description: String,
    /// What it may do.
    pub roles: Vec<Role>,
    /// The tenant it is confined to; left out when it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// Its secret; only in the answer that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Password)]
    pub secret: Option<Secret<String>>,
}

/// A program to be added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewClient {
    /// Its `client_id`; made up when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its secret; made up when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Password)]
    pub secret: Option<Secret<String>>,
    /// What it may do.
    pub roles: Vec<Role>,
    /// The tenant to confine it to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
}

/// A change of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClientPatch {
    /// A new description.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub description: Patch<String>,
    /// A new secret.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>, format = Password)]
    pub secret: Patch<Secret<String>>,
    /// What it may do from now on.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<Vec<Role>>)]
    pub roles: Patch<Vec<Role>>,
    /// Another tenant; `null` confines it to none.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub tenant: Patch<String>,
}
