//! Revokes a refresh token and all that came from the same login (RFC 7009). The doors call it; logging out
//! is this.
//!
//! The rule: a token that is not known is no error, or the answer would tell which tokens there are. One that is known
//! is revoked only by the client that got it.

use super::grant::{ClientAuth, Form};
use super::jwt::Jwt;
use super::token::{OTHER_CLIENT, prove};
use super::{OAuthError, needs_built_in, own_permit, secret};
use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome};
use qm_model::{Ctx, Kind, Secret};
use qm_store::{audit, refresh_token};

/// What is to be revoked.
#[derive(Debug, Clone)]
pub struct Revocation {
    /// The refresh token.
    pub token: Secret<String>,
    /// Through which program.
    pub client: Option<ClientAuth>,
}

impl Revocation {
    /// Reads a decoded form and the raw `Authorization` header.
    ///
    /// # Errors
    /// What is missing or wrong.
    pub fn read(
        form: &[(String, String)],
        authorization: Option<&str>,
    ) -> Result<Self, OAuthError> {
        let mut form = Form::new(form)?;
        Ok(Self {
            client: form.client(authorization)?,
            token: Secret::new(form.need("token")?),
        })
    }
}

/// Revokes a refresh token with its family.
///
/// # Errors
/// The client is wrong or not the one that got it, or it is an access token: these only expire.
pub async fn revoke(
    deeds: &Lifecycle,
    ctx: &Ctx,
    revocation: Revocation,
) -> Result<(), OAuthError> {
    needs_built_in(deeds)?;
    let Revocation { token, client } = revocation;
    let client = prove(deeds, ctx, client).await?;
    if Jwt::parse(token.expose()).is_ok() {
        return Err(OAuthError::UnsupportedTokenType(
            "an access token cannot be revoked; it expires soon. Revoke the refresh token",
        ));
    }
    let hash = secret::hash(token.expose());
    let now = deeds.now();
    let permit = own_permit(deeds, &ctx.correlation_id)?;
    let ctx = ctx.clone();
    deeds
        .store
        .change(&permit, async move |tx| {
            if let Some(token) = refresh_token::get(tx, &hash).await? {
                if token.client != client {
                    return Err(OTHER_CLIENT);
                }
                refresh_token::revoke_family(tx, &token.family).await?;
                let entry = Entry::of(
                    &ctx,
                    now,
                    "logout",
                    Some(Kind::User),
                    token.user.as_str(),
                    Outcome::Succeeded,
                    "",
                );
                audit::append(tx, &entry).await?;
            }
            Ok(())
        })
        .await
}
