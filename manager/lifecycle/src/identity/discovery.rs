//! What the built-in issuer tells about itself, as data. The doors serve it under `/.well-known` and
//! `/oauth/jwks`; OAuth2 libraries and smctl read it before they log in.

use super::{needs_built_in, ring};
use crate::Lifecycle;
use qm_model::Error;
use serde_json::{Value, json};

/// Where clients go to log in: for `/v1/info`. An issuer that was configured comes before our own.
pub fn token_issuer_url(deeds: &Lifecycle, public_url: &str) -> String {
    match deeds.settings.identity.issuers.first() {
        Some(issuer) => issuer.url.clone(),
        None => trimmed(public_url).to_owned(),
    }
}

/// The discovery document: the doors at the address under which the client sees this manager, and what tokens from
/// there have as `iss`.
///
/// # Errors
/// The built-in issuer is off.
pub fn discovery(deeds: &Lifecycle, public_url: &str, issuer: &str) -> Result<Value, Error> {
    needs_built_in(deeds)?;
    let url = trimmed(public_url);
    let token = format!("{url}/oauth/token");
    let methods = ["client_secret_basic", "client_secret_post", "none"];
    Ok(json!({
        "issuer": trimmed(issuer),
        // There is no page to log in at, and the door there says so; smctl wants the field.
        "authorization_endpoint": format!("{url}/oauth/authorize"),
        "token_endpoint": token,
        "jwks_uri": format!("{url}/oauth/jwks"),
        "revocation_endpoint": format!("{url}/oauth/revoke"),
        "grant_types_supported": ["password", "client_credentials", "refresh_token"],
        "response_types_supported": [],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "token_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_methods_supported": methods,
        "scopes_supported": ["viewer", "developer", "admin", "purge"],
        "claims_supported": ["iss", "sub", "aud", "exp", "iat", "jti", "client_id", "user_name", "roles", "tenant"],
    }))
}

/// The public keys of the built-in issuer as a JWKS.
///
/// # Errors
/// The built-in issuer is off; what the store says.
pub async fn jwks(deeds: &Lifecycle) -> Result<Value, Error> {
    needs_built_in(deeds)?;
    let ring = ring::signing(deeds).await?;
    Ok(json!({ "keys": ring.published() }))
}

/// smctl puts `/.well-known/...` behind the issuer as it is: a slash at the end would be two.
fn trimmed(url: &str) -> &str {
    url.trim_end_matches('/')
}
