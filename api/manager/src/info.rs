//! What a client must know before it logs in: `/v1/info`, open to everybody.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The document.
pub const PATH: &str = "/v1/info";

/// What a client must know before it logs in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Info {
    /// The OIDC issuer; its discovery document is at `{token_issuer_url}/.well-known/openid-configuration`.
    pub token_issuer_url: String,
    /// Whether clients may log in at the token endpoint with Basic.
    #[serde(default = "yes")]
    #[schema(required = true)]
    pub token_basic_auth: bool,
    /// The tenant of the manager itself; empty when there is none.
    #[serde(default)]
    #[schema(required = true)]
    pub service_manager_tenant_id: String,
    /// The key that contexts are signed with, PEM in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_rsa_public_key: Option<String>,
    /// The key that follows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_successor_rsa_public_key: Option<String>,
}

// Clients take a missing field for true.
fn yes() -> bool {
    true
}
