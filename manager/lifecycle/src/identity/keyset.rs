//! The public keys of an issuer, from its JWKS. `issuer` fetches them, `ring` has our own.
//!
//! The rule: a key verifies only what it is for. Shared secrets and keys for encryption are passed over, a
//! curve has its one algorithm, and a key that names an algorithm is good for no other.

use super::jwt::Jwt;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde_json::Value;

/// More keys than any issuer has.
const MOST: usize = 100;

const RSA: [Algorithm; 6] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
];

/// The public keys of an issuer.
#[derive(Debug, Default)]
pub(super) struct Keyset {
    keys: Vec<Key>,
}

#[derive(Debug)]
struct Key {
    id: Option<String>,
    algorithms: Vec<Algorithm>,
    key: DecodingKey,
}

impl Keyset {
    /// Reads a JWKS. A key that is not understood is passed over: it is not for us.
    pub(super) fn parse(jwks: &str) -> Option<Self> {
        let jwks: Value = serde_json::from_str(jwks).ok()?;
        Some(Self::from_values(jwks.get("keys")?.as_array()?))
    }

    pub(super) fn from_values(keys: &[Value]) -> Self {
        Self {
            keys: keys.iter().take(MOST).filter_map(Key::read).collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The keys that may have signed this token. One without a key id may be of any key.
    pub(super) fn candidates<'k>(&'k self, jwt: &Jwt<'_>) -> Vec<&'k DecodingKey> {
        self.keys
            .iter()
            .filter(|key| jwt.key_id.is_none() || key.id == jwt.key_id)
            .filter(|key| key.algorithms.contains(&jwt.algorithm))
            .map(|key| &key.key)
            .collect()
    }
}

impl Key {
    fn read(value: &Value) -> Option<Self> {
        let jwk: Jwk = serde_json::from_value(value.clone()).ok()?;
        let common = &jwk.common;
        if !matches!(common.public_key_use, None | Some(PublicKeyUse::Signature)) {
            return None;
        }
        let mut algorithms = match &jwk.algorithm {
            AlgorithmParameters::RSA(_) => RSA.to_vec(),
            AlgorithmParameters::EllipticCurve(curve) => match curve.curve {
                EllipticCurve::P256 => vec![Algorithm::ES256],
                EllipticCurve::P384 => vec![Algorithm::ES384],
                _ => return None,
            },
            _ => return None,
        };
        if let Some(named) = value.get("alg") {
            let named: Algorithm = named.as_str()?.parse().ok()?;
            algorithms.retain(|algorithm| *algorithm == named);
        }
        Some(Self {
            key: DecodingKey::from_jwk(&jwk).ok()?,
            id: jwk.common.key_id,
            algorithms,
        })
    }
}
