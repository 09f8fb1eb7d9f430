//! A certificate with its key, from PEM. Deeds check those of a registration with [`check_identity`]; peers
//! show them.
//!
//! The rule: what is wrong is told without quoting the text, because the text may be a key.

use qm_model::Secret;
use rustls::Error;
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::sign::CertifiedKey;
use rustls_pki_types::pem::{self, PemObject as _};
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use std::borrow::Cow;
use std::sync::Arc;

/// A certificate chain, leaf first, and its key, both PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The chain.
    pub certificate: String,
    /// The key.
    pub key: Secret<String>,
}

/// Checks that a certificate and a key, both PEM, belong together.
///
/// # Errors
/// What to change.
pub fn check_identity(cert_pem: &str, key_pem: &str) -> Result<(), String> {
    certified(cert_pem, key_pem).map(drop)
}

/// A certificate and its key, ready to be shown.
pub(crate) fn certified(cert_pem: &str, key_pem: &str) -> Result<Arc<CertifiedKey>, String> {
    let chain = certificates(cert_pem)?;
    let key = key(key_pem)?;
    let pair = CertifiedKey::from_der(chain, key, &default_provider()).map_err(|error| {
        match error {
            Error::InconsistentKeys(_) => "the key does not belong to the certificate",
            Error::InvalidCertificate(_) => {
                "the first certificate is damaged or of an unknown kind"
            }
            _ => "the key is damaged or of an unknown kind; RSA, ECDSA and Ed25519 are known",
        }
        .to_owned()
    })?;
    Ok(Arc::new(pair))
}

/// All certificates in a text; at least one.
pub(crate) fn certificates(text: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let text = lines(text);
    let all: Result<Vec<_>, pem::Error> = CertificateDer::pem_slice_iter(text.as_bytes()).collect();
    match all {
        Ok(all) if all.is_empty() => Err("there is no certificate in it; it must be PEM, with \
             -----BEGIN CERTIFICATE----- and -----END CERTIFICATE-----"
            .to_owned()),
        Ok(all) => Ok(all),
        Err(_) => Err("the certificate is not valid PEM".to_owned()),
    }
}

fn key(text: &str) -> Result<PrivateKeyDer<'static>, String> {
    let text = lines(text);
    PrivateKeyDer::from_pem_slice(text.as_bytes()).map_err(|error| {
        match error {
            pem::Error::NoItemsFound if text.contains("ENCRYPTED PRIVATE KEY") => {
                "the key is encrypted with a password; give it in clear, it is stored encrypted"
            }
            pem::Error::NoItemsFound => {
                "there is no private key in it; it must be PEM, with -----BEGIN PRIVATE KEY-----"
            }
            _ => "the key is not valid PEM",
        }
        .to_owned()
    })
}

/// PEM that went through an environment variable or a careless template has `\n` where lines should end.
fn lines(text: &str) -> Cow<'_, str> {
    match text.trim_end().contains('\n') {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.replace("\\n", "\n")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (String, String) {
        let made = rcgen::generate_simple_self_signed(["client".to_owned()]).unwrap();
        (made.cert.pem(), made.signing_key.serialize_pem())
    }

    #[test]
    fn a_pair_belongs_together() {
        let (cert, key) = pair();
        assert_eq!(check_identity(&cert, &key), Ok(()));
        let (escaped_cert, escaped_key) = (cert.replace('\n', "\\n"), key.replace('\n', "\\n"));
        assert_eq!(check_identity(&escaped_cert, &escaped_key), Ok(()));
        let (_, other) = pair();
        let reason = check_identity(&cert, &other).unwrap_err();
        assert!(reason.contains("does not belong"), "{reason}");
    }

    #[test]
    fn what_is_wrong_is_told_without_quoting() {
        let (cert, key) = pair();
        let broken = cert.replace("MI", "hunter2!");
        let no_end = cert.replace("-----END", "hunter2 END");
        let encrypted = key.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
        let empty = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        let rows = [
            ("", key.as_str(), "no certificate"),
            ("hunter2", &key, "no certificate"),
            (&key, &key, "no certificate"),
            (&broken, &key, "certificate"),
            (&no_end, &key, "not valid PEM"),
            (empty, &key, "damaged"),
            (&cert, "", "no private key"),
            (&cert, "hunter2", "no private key"),
            (&cert, &cert, "no private key"),
            (&cert, &encrypted, "encrypted"),
        ];
        for (cert, key, wanted) in rows {
            let reason = check_identity(cert, key).unwrap_err();
            assert!(reason.contains(wanted), "{wanted}: {reason}");
            assert!(!reason.contains("hunter2"), "{reason}");
        }
    }
}
