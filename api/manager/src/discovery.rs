//! What an OIDC issuer says of itself, and the keys it signs with.
//!
//! The built-in issuer serves it; the manager and clients read other issuers' documents with it. The rule for
//! reading: only what we need is required, because issuers differ.

use crate::lenient::null_as_default;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The document; put behind the issuer's URL as it is.
pub const PATH: &str = "/.well-known/openid-configuration";
/// The keys of the built-in issuer.
pub const KEYS_PATH: &str = "/oauth/jwks";

/// What an OIDC issuer says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Discovery {
    /// The `iss` of its tokens.
    pub issuer: String,
    /// Where people log in with a browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authorization_endpoint: Option<String>,
    /// Where tokens are got.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_endpoint: Option<String>,
    /// Where its keys are.
    pub jwks_uri: String,
    /// What it can answer.
    #[serde(default, deserialize_with = "null_as_default")]
    #[schema(required = true)]
    pub response_types_supported: Vec<String>,
    /// How it names people.
    #[serde(default, deserialize_with = "null_as_default")]
    #[schema(required = true)]
    pub subject_types_supported: Vec<String>,
    /// How it signs.
    #[serde(default, deserialize_with = "null_as_default")]
    #[schema(required = true)]
    pub id_token_signing_alg_values_supported: Vec<String>,
    /// How tokens can be asked for.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub grant_types_supported: Vec<String>,
    /// How clients log in at the token endpoint.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub token_endpoint_auth_methods_supported: Vec<String>,
    /// What can be asked for.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub scopes_supported: Vec<String>,
    /// What stands in its tokens.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub claims_supported: Vec<String>,
    /// Where clients with a certificate go instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mtls_endpoint_aliases: Option<MtlsAliases>,
}

/// Where clients with a certificate go.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MtlsAliases {
    /// In the place of `token_endpoint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_endpoint: Option<String>,
    /// In the place of `authorization_endpoint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authorization_endpoint: Option<String>,
}

/// The public keys of an issuer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Jwks {
    /// The keys.
    pub keys: Vec<Jwk>,
}

/// One public key: RSA (`n`, `e`) or elliptic (`crv`, `x`, `y`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Jwk {
    /// `RSA`, `EC` or `OKP`.
    pub kty: String,
    /// `sig`.
    #[serde(rename = "use", default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<String>,
    /// Its name in the header of a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kid: Option<String>,
    /// How it signs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alg: Option<String>,
    /// The modulus, base64url.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<String>,
    /// The exponent, base64url.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub e: Option<String>,
    /// The curve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crv: Option<String>,
    /// The point's first coordinate, base64url.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<String>,
    /// The point's second coordinate, base64url.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<String>,
}
