//! Revokes a refresh token and all that came from the same login (RFC 7009). The doors call it; logging out
//! is this.
//!
//! The rule: a token that is not known is no error, or the answer would tell which tokens there are.

use super::grant::{ClientAuth, Form};
use super::jwt::Jwt;
use super::token::prove;
use super::{OAuthError, needs_built_in, own_permit, secret};
use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome};
use qm_model::{Ctx, Error, Kind, Secret};
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
/// The client is wrong, or it is an access token: these only expire.
pub async fn revoke(
    deeds: &Lifecycle,
    ctx: &Ctx,
    revocation: Revocation,
) -> Result<(), OAuthError> {
    needs_built_in(deeds)?;
    let Revocation { token, client } = revocation;
    prove(deeds, ctx, client).await?;
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
            if let Some(user) = refresh_token::revoke(tx, &hash).await? {
                let entry = Entry::of(
                    &ctx,
                    now,
                    "logout",
                    Some(Kind::User),
                    user.as_str(),
                    Outcome::Succeeded,
                    "",
                );
                audit::append(tx, &entry).await?;
            }
            Ok::<_, Error>(())
        })
        .await?;
    Ok(())
}
