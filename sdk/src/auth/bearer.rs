//! Opaque bearer tokens, each with the name of who holds it.
//!
//! Called by the endpoint for every request. The rule: a token is compared whole and never read;
//! whoever wants signed tokens writes an authenticator of their own.

use super::digest::Vault;
use super::header;
use super::{Authenticator, Caller, Denied};
use http::request::Parts;

/// Tokens that let somebody in.
#[derive(Debug, Clone)]
pub struct Bearer {
    realm: String,
    tokens: Vault,
}

impl Bearer {
    /// Lets the holder of one token in, under this name.
    pub fn new(name: impl Into<String>, token: impl AsRef<[u8]>) -> Self {
        Self {
            realm: "service broker".into(),
            tokens: Vault::new(),
        }
        .and_token(name, token)
    }

    /// Lets the holder of one more token in.
    #[must_use]
    pub fn and_token(mut self, name: impl Into<String>, token: impl AsRef<[u8]>) -> Self {
        self.tokens.insert(name.into(), &[token.as_ref()]);
        self
    }

    /// The realm that the challenge names.
    #[must_use]
    pub fn realm(mut self, realm: impl Into<String>) -> Self {
        self.realm = realm.into();
        self
    }
}

impl Authenticator for Bearer {
    fn authenticate(&self, request: &Parts) -> Result<Caller, Denied> {
        let token = header::credentials(request, "Bearer").map_err(|denied| Denied {
            challenge: header::challenge("Bearer", &self.realm, ""),
            ..denied
        })?;
        let found = self.tokens.find(&[token.trim_end().as_bytes()]);
        found.map(Caller::new).ok_or_else(|| Denied {
            challenge: header::challenge("Bearer", &self.realm, ", error=\"invalid_token\""),
            description: "the bearer token is not known here".into(),
        })
    }
}
