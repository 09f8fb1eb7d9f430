//! A token taken apart, and whether a key signed it. `bearer` and `revoke` call it.
//!
//! The rule: which algorithms are taken is said here, never by the token. `none` and the HMACs are not among
//! them, so a public key cannot be misused as a shared secret. A header that demands something (`crit`) is
//! refused, and a key that the token brings along (`jwk`, `jku`, `x5c`) is not looked at.

use super::strict;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, crypto};
use serde_json::{Map, Value};

/// Longest token that is looked at. Doors refuse longer headers anyway.
const LONGEST: usize = 16 * 1024;

const ALGORITHMS: [(&str, Algorithm); 8] = [
    ("RS256", Algorithm::RS256),
    ("RS384", Algorithm::RS384),
    ("RS512", Algorithm::RS512),
    ("PS256", Algorithm::PS256),
    ("PS384", Algorithm::PS384),
    ("PS512", Algorithm::PS512),
    ("ES256", Algorithm::ES256),
    ("ES384", Algorithm::ES384),
];

/// A token taken apart. Nothing in it is true before [`Jwt::signed_by`] says so.
pub(super) struct Jwt<'t> {
    signed: &'t str,
    signature: &'t str,
    pub(super) algorithm: Algorithm,
    pub(super) key_id: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) claims: Map<String, Value>,
}

/// Why this is no token that could be taken. The text is for its bearer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unfit {
    #[error("the token is too long")]
    TooLong,
    #[error("the token is no JWT, or a name comes twice in it")]
    Form,
    #[error("the token's algorithm is not taken; RS, PS and ES are")]
    Algorithm,
    #[error("the token demands what this Service Manager does not know (crit)")]
    Critical,
}

impl<'t> Jwt<'t> {
    pub(super) fn parse(token: &'t str) -> Result<Self, Unfit> {
        if token.len() > LONGEST {
            return Err(Unfit::TooLong);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(Unfit::Form)?;
        let (header, claims) = signed.split_once('.').ok_or(Unfit::Form)?;
        let header = part(header)?;
        let algorithm = text(&header, "alg")?.ok_or(Unfit::Form)?;
        let algorithm = ALGORITHMS
            .into_iter()
            .find(|(name, _)| *name == algorithm)
            .ok_or(Unfit::Algorithm)?;
        if header.contains_key("crit") {
            return Err(Unfit::Critical);
        }
        Ok(Self {
            signed,
            signature,
            algorithm: algorithm.1,
            key_id: text(&header, "kid")?,
            kind: text(&header, "typ")?,
            claims: part(claims)?,
        })
    }

    /// Who it says has issued it.
    pub(super) fn issuer(&self) -> Option<&str> {
        self.claims.get("iss").and_then(Value::as_str)
    }

    pub(super) fn signed_by(&self, key: &DecodingKey) -> bool {
        crypto::verify(self.signature, self.signed.as_bytes(), key, self.algorithm).unwrap_or(false)
    }
}

fn part(encoded: &str) -> Result<Map<String, Value>, Unfit> {
    let json = URL_SAFE_NO_PAD.decode(encoded).map_err(|_| Unfit::Form)?;
    strict::object(&json).ok_or(Unfit::Form)
}

fn text(header: &Map<String, Value>, name: &str) -> Result<Option<String>, Unfit> {
    match header.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Unfit::Form),
    }
}
