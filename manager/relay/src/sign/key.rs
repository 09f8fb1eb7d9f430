//! The key that signs contexts: RSA, from PEM, as it is or once more in base64 as the old server wanted it.
//!
//! The rule: what is wrong with a key is told without quoting it. The key is checked at start; later only the
//! arithmetic could fail.

use crate::BadSettings;
use aws_lc_rs::encoding::{AsDer as _, PublicKeyX509Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeyPair;
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use qm_model::Secret;
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject as _;
use std::borrow::Cow;
use std::fmt;

/// What signs contexts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signing {
    /// An RSA key, PKCS#1 or PKCS#8, PEM or base64 of it.
    pub key: Secret<String>,
    /// The public half of the key that will follow, as `/v1/info` tells it.
    pub successor: Option<String>,
}

/// A key ready to sign.
pub(crate) struct Signer {
    pair: KeyPair,
    public: String,
}

impl Signer {
    pub(crate) fn new(signing: &Signing) -> Result<Self, BadSettings> {
        let bad = |reason: &str| BadSettings::Signing(reason.to_owned());
        let text = pem(signing.key.expose());
        let key = PrivateKeyDer::from_pem_slice(text.as_bytes()).map_err(|_| {
            bad(
                "there is no private key in it; it must be PEM, with -----BEGIN RSA PRIVATE \
                 KEY-----, or base64 of that",
            )
        })?;
        let pair = match &key {
            PrivateKeyDer::Pkcs1(key) => KeyPair::from_der(key.secret_pkcs1_der()),
            PrivateKeyDer::Pkcs8(key) => KeyPair::from_pkcs8(key.secret_pkcs8_der()),
            _ => return Err(bad("it is no RSA key")),
        };
        let pair = pair.map_err(|_| bad("it is no RSA key of 2048 to 8192 bits"))?;
        let der: PublicKeyX509Der<'_> = pair
            .public_key()
            .as_der()
            .map_err(|_| bad("its public half cannot be written"))?;
        Ok(Self {
            public: STANDARD.encode(public_pem(der.as_ref())),
            pair,
        })
    }

    /// The public half, base64 of PEM.
    pub(crate) fn public(&self) -> &str {
        &self.public
    }

    /// Base64 of the signature: RSASSA-PKCS1-v1_5 with SHA-256.
    pub(super) fn sign(&self, text: &[u8]) -> Option<String> {
        let mut signature = vec![0; self.pair.public_modulus_len()];
        let random = SystemRandom::new();
        let signed = self
            .pair
            .sign(&RSA_PKCS1_SHA256, &random, text, &mut signature);
        signed.ok()?;
        Some(STANDARD.encode(signature))
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer").finish_non_exhaustive()
    }
}

/// The PEM in a text that may be base64 of it, with or without line breaks.
fn pem(text: &str) -> Cow<'_, str> {
    if text.contains("-----BEGIN") {
        // What went through an environment variable may have `\n` where lines should end.
        return match text.trim_end().contains('\n') {
            true => Cow::Borrowed(text),
            false => Cow::Owned(text.replace("\\n", "\n")),
        };
    }
    let packed: String = text.split_whitespace().collect();
    let decoded = STANDARD.decode(packed).ok();
    decoded
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .map_or(Cow::Borrowed(text), Cow::Owned)
}

fn public_pem(der: &[u8]) -> String {
    let encoded = STANDARD.encode(der);
    let mut text = "-----BEGIN PUBLIC KEY-----\n".to_owned();
    let mut rest = encoded.as_str();
    while !rest.is_empty() {
        let (line, more) = rest.split_at(rest.len().min(64));
        text.push_str(line);
        text.push('\n');
        rest = more;
    }
    text.push_str("-----END PUBLIC KEY-----\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_key_is_not_quoted() {
        let elliptic = rcgen::KeyPair::generate().unwrap().serialize_pem();
        let empty = "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n";
        for text in ["", "hunter2", "aHVudGVyMg==", &elliptic, empty] {
            let signing = Signing {
                key: Secret::new(text.to_owned()),
                successor: None,
            };
            let Err(error) = Signer::new(&signing) else {
                panic!("taken");
            };
            assert!(matches!(error, BadSettings::Signing(_)), "{error:?}");
            assert!(!error.to_string().contains("hunter2"), "{error}");
            assert!(!format!("{signing:?}").contains("hunter2"));
        }
    }
}
