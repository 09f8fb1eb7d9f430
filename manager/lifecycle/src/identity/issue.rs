//! Puts an access token together. The grants call it when somebody has proved who they are.

use super::account::ACCOUNT;
use super::ring::{self, AUDIENCE, Ring};
use super::{OAuthError, secret};
use crate::Lifecycle;
use qm_model::identity::Role;
use qm_model::{Error, Secret, Time};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What the token endpoint gives.
#[derive(Debug, Clone)]
pub struct Issued {
    /// A JWT.
    pub access_token: Secret<String>,
    /// `bearer`.
    pub token_type: &'static str,
    /// How long it is good, in seconds.
    pub expires_in: u64,
    /// For going on later, where there is one.
    pub refresh_token: Option<Secret<String>>,
    /// The roles in it, with spaces between.
    pub scope: String,
}

/// For whom a token is.
pub(super) struct Holder<'h> {
    pub(super) subject: &'h str,
    pub(super) name: &'h str,
    pub(super) client: &'h str,
    pub(super) tenant: Option<&'h str>,
    pub(super) roles: &'h BTreeSet<Role>,
    /// When the account was changed last: see `account`.
    pub(super) changed_at: Time,
}

/// What is needed to issue, fetched before anything is written, so that nothing is written in vain.
pub(super) struct Press {
    ring: Arc<Ring>,
    issuer: String,
}

impl Press {
    pub(super) async fn new(deeds: &Lifecycle, reached: &str) -> Result<Self, Error> {
        let configured = deeds.settings.identity.public_url.as_deref();
        Ok(Self {
            ring: ring::signing(deeds).await?,
            issuer: configured
                .unwrap_or(reached)
                .trim_end_matches('/')
                .to_owned(),
        })
    }

    pub(super) fn issue(
        &self,
        deeds: &Lifecycle,
        holder: &Holder<'_>,
        refresh_token: Option<Secret<String>>,
    ) -> Result<Issued, Error> {
        let Holder {
            subject,
            name,
            client,
            tenant,
            roles,
            changed_at,
        } = holder;
        let words: Vec<_> = roles.iter().map(|role| role.word()).collect();
        let scope = words.join(" ");
        let now = deeds.now().millis().div_euclid(1000);
        let expires_in = deeds.settings.identity.access_token_age.as_secs();
        let mut claims = Map::new();
        let mut claim = |name: &str, value: Value| claims.insert(name.to_owned(), value);
        claim("iss", json!(self.issuer));
        claim("sub", json!(subject));
        claim("aud", json!([AUDIENCE]));
        claim("iat", json!(now));
        claim("exp", json!(now.saturating_add_unsigned(expires_in)));
        claim("jti", json!(deeds.fresh()));
        claim("client_id", json!(client));
        claim("user_name", json!(name));
        claim("roles", json!(words));
        claim("scope", json!(scope));
        claim(ACCOUNT, json!(changed_at.millis()));
        if let Some(tenant) = tenant {
            claim("tenant", json!(tenant));
        }
        Ok(Issued {
            access_token: self.ring.sign(&claims)?,
            token_type: "bearer",
            expires_in,
            refresh_token,
            scope,
        })
    }
}

/// A fresh refresh token and what is stored of it.
pub(super) fn refresh_token() -> Result<(Secret<String>, [u8; 32]), Error> {
    let token = secret::fresh::<32>()?;
    let hash = secret::hash(token.expose());
    Ok((token, hash))
}

/// The roles that a scope asks for: all when nothing is said, and never one that is not there.
pub(super) fn narrowed(
    roles: &BTreeSet<Role>,
    scope: Option<&str>,
) -> Result<BTreeSet<Role>, OAuthError> {
    let Some(scope) = scope else {
        return Ok(roles.clone());
    };
    let wanted = Role::from_words(scope.split_whitespace())
        .map_err(|error| OAuthError::InvalidScope(error.to_string()))?;
    if let Some(more) = wanted.difference(roles).next() {
        return Err(OAuthError::InvalidScope(format!(
            "the role {more} was not granted"
        )));
    }
    if wanted.is_empty() {
        return Ok(roles.clone());
    }
    Ok(wanted)
}
