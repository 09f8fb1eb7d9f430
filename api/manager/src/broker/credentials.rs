//! How the manager logs in at a broker. Which kinds go together is the model's.

use crate::lenient::{is_false, null_as_default};
use crate::{BasicCredentials, Secret};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How the manager logs in at a broker: a client certificate, or one of the others, or both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BrokerCredentials {
    /// User and password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basic: Option<BasicCredentials>,
    /// A client certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<TlsCredentials>,
    /// A fixed bearer token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bearer: Option<BearerCredentials>,
    /// A fixed bearer token, in the form of the published specification; the same as `bearer.token`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Password)]
    pub token: Option<Secret<String>>,
    /// A token that the manager gets with the client-credentials grant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oauth2: Option<OAuth2Credentials>,
}

/// A client certificate: the broker's own, or the manager's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TlsCredentials {
    /// The certificate, PEM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_certificate: Option<String>,
    /// Its key, PEM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Password)]
    pub client_key: Option<Secret<String>>,
    /// Use the certificate that the manager is configured with, instead.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "is_false"
    )]
    pub sm_provided_tls_credentials: bool,
}

/// A fixed bearer token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BearerCredentials {
    /// The token.
    #[schema(value_type = String, format = Password)]
    pub token: Secret<String>,
}

/// How to get a token with the OAuth2 client-credentials grant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OAuth2Credentials {
    /// The token endpoint.
    pub token_url: String,
    /// The client.
    pub client_id: String,
    /// Its secret.
    #[schema(value_type = String, format = Password)]
    pub client_secret: Secret<String>,
    /// What to ask for; words with spaces between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}
