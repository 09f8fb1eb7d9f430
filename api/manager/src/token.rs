//! The token endpoint: what RFC 6749 says of the password, client-credentials and refresh grants.
//!
//! The built-in issuer answers with it; clients also read other issuers' answers with it.

use crate::Secret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The token endpoint of the built-in issuer; clients that glue paths together expect this one.
pub const PATH: &str = "/oauth/token";
/// Where people would log in with a browser. Named in the discovery document because smctl wants it there.
pub const AUTHORIZATION_PATH: &str = "/oauth/authorize";

/// What is sent to the token endpoint, as a form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenRequest {
    /// `password`, `client_credentials` or `refresh_token`.
    pub grant_type: String,
    /// The user; with `password`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// The password; with `password`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Password)]
    pub password: Option<Secret<String>>,
    /// The client, unless it stands in the `Authorization` header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// The client's secret, unless it stands in the `Authorization` header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Password)]
    pub client_secret: Option<Secret<String>>,
    /// The refresh token; with `refresh_token`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Password)]
    pub refresh_token: Option<Secret<String>>,
    /// What to ask for; words with spaces between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

/// A token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenResponse {
    /// The token itself.
    #[schema(value_type = String, format = Password)]
    pub access_token: Secret<String>,
    /// `Bearer`.
    pub token_type: String,
    /// How long it is valid, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<u64>,
    /// For a new one when it has expired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Password)]
    pub refresh_token: Option<Secret<String>>,
    /// What it is good for; words with spaces between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

/// Why there is no token.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OAuthError {
    /// `invalid_request`, `invalid_client`, `invalid_grant`, `unauthorized_client`, `unsupported_grant_type` or
    /// `invalid_scope`.
    pub error: String,
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_description: Option<String>,
}
