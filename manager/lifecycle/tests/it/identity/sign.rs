//! Keys and tokens as an issuer, or somebody worse, makes them. Independent of the code under test.

use aws_lc_rs::hmac;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, KeyPair,
    RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PKCS1_SHA512, RSA_PSS_SHA256, RSA_PSS_SHA384,
    RSA_PSS_SHA512, RsaEncoding, RsaKeyPair,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

/// A key of an issuer.
pub(crate) struct Key {
    pub(crate) id: String,
    pair: Pair,
}

enum Pair {
    Rsa(Box<RsaKeyPair>),
    Ec(Box<EcdsaKeyPair>, &'static str, usize),
}

pub(crate) fn b64(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Key {
    pub(crate) fn rsa(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            pair: Pair::Rsa(Box::new(RsaKeyPair::generate(KeySize::Rsa2048).unwrap())),
        }
    }

    pub(crate) fn p256(id: &str) -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        Self {
            id: id.to_owned(),
            pair: Pair::Ec(Box::new(pair), "P-256", 32),
        }
    }

    pub(crate) fn p384(id: &str) -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P384_SHA384_FIXED_SIGNING).unwrap();
        Self {
            id: id.to_owned(),
            pair: Pair::Ec(Box::new(pair), "P-384", 48),
        }
    }

    /// The public half.
    pub(crate) fn jwk(&self) -> Value {
        match &self.pair {
            Pair::Rsa(pair) => {
                let public = pair.public_key();
                json!({
                    "kty": "RSA", "use": "sig", "kid": self.id,
                    "n": b64(public.modulus().big_endian_without_leading_zero()),
                    "e": b64(public.exponent().big_endian_without_leading_zero()),
                })
            }
            Pair::Ec(pair, curve, size) => {
                let point = pair.public_key().as_ref();
                json!({
                    "kty": "EC", "use": "sig", "kid": self.id, "crv": curve,
                    "x": b64(&point[1..=*size]), "y": b64(&point[1 + size..]),
                })
            }
        }
    }

    /// A token as a good issuer makes it.
    pub(crate) fn token(&self, claims: &Value) -> String {
        let algorithm = match &self.pair {
            Pair::Rsa(_) => "RS256",
            Pair::Ec(_, "P-256", _) => "ES256",
            Pair::Ec(..) => "ES384",
        };
        self.token_with(
            &json!({"alg": algorithm, "typ": "JWT", "kid": self.id}).to_string(),
            &claims.to_string(),
        )
    }

    /// A token with any header and any claims, rightly signed for the header's algorithm.
    pub(crate) fn token_with(&self, header: &str, claims: &str) -> String {
        let signed = format!("{}.{}", b64(header), b64(claims));
        let algorithm: Value = serde_json::from_str(header).unwrap();
        let signature = self.sign(
            algorithm["alg"].as_str().unwrap_or("RS256"),
            signed.as_bytes(),
        );
        format!("{signed}.{}", b64(signature))
    }

    fn sign(&self, algorithm: &str, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.pair {
            Pair::Rsa(pair) => {
                let encoding: &'static dyn RsaEncoding = match algorithm {
                    "RS384" => &RSA_PKCS1_SHA384,
                    "RS512" => &RSA_PKCS1_SHA512,
                    "PS256" => &RSA_PSS_SHA256,
                    "PS384" => &RSA_PSS_SHA384,
                    "PS512" => &RSA_PSS_SHA512,
                    _ => &RSA_PKCS1_SHA256,
                };
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(encoding, &random, message, &mut signature)
                    .unwrap();
                signature
            }
            Pair::Ec(pair, ..) => pair.sign(&random, message).unwrap().as_ref().to_vec(),
        }
    }
}

/// A token signed with a shared secret.
pub(crate) fn with_secret(header: &str, claims: &Value, secret: &[u8]) -> String {
    let signed = format!("{}.{}", b64(header), b64(claims.to_string()));
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
    format!("{signed}.{}", b64(hmac::sign(&key, signed.as_bytes())))
}
