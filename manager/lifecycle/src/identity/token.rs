//! The token endpoint of the built-in issuer: a grant becomes a token, one file per grant.
//!
//! The rule: what a token says about a user comes from the store at that moment, never from the request.

mod client;
mod password;
mod refresh;

pub(super) use client::prove;
pub(super) use refresh::OTHER_CLIENT;

use super::{Grant, Issued, OAuthError, needs_built_in};
use crate::Lifecycle;
use qm_model::Ctx;

/// Clients that everybody knows and that have no secret: smctl of old calls itself `cf`.
pub(super) const PUBLIC: [&str; 2] = ["cf", "smctl"];

/// Gives a token for a grant. `issuer` is what it has as `iss` unless one is configured; nobody but us may choose it.
///
/// # Errors
/// Why there is none.
pub async fn token(
    deeds: &Lifecycle,
    ctx: &Ctx,
    issuer: &str,
    grant: Grant,
) -> Result<Issued, OAuthError> {
    needs_built_in(deeds)?;
    match grant {
        Grant::Password {
            user,
            password,
            client,
            scope,
        } => {
            let client = prove(deeds, ctx, client).await?;
            password::grant(deeds, ctx, issuer, user, password, &client, scope).await
        }
        Grant::ClientCredentials { client, scope } => {
            client::grant(deeds, ctx, issuer, client, scope).await
        }
        Grant::Refresh {
            token,
            client,
            scope,
        } => {
            let client = prove(deeds, ctx, client).await?;
            refresh::grant(deeds, ctx, issuer, &token, &client, scope).await
        }
    }
}
