//! Whom we trust: the authorities of this machine and those of the settings.
//!
//! Every peer that speaks TLS gets its configuration here. The rule: the authorities are read once, when the
//! first needs them, and shared, because a thousand brokers would otherwise hold a thousand copies.

use super::certificates;
use super::unchecked::Unchecked;
use crate::{BadSettings, RelayError};
use rustls::client::danger::ServerCertVerifier;
use rustls::client::{Resumption, WebPkiServerVerifier};
use rustls::crypto::CryptoProvider;
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::CertificateDer;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// TLS sessions kept per pool: for the broker and for its token endpoint, with room.
const SESSIONS: usize = 4;

pub(crate) struct Trust {
    extra: Vec<CertificateDer<'static>>,
    skip: bool,
    provider: Arc<CryptoProvider>,
    verifier: OnceCell<Arc<dyn ServerCertVerifier>>,
}

impl Trust {
    /// `extra`: PEM texts of further authorities. `skip`: trusts everybody, and says so.
    pub(crate) fn new(extra: &[String], skip: bool) -> Result<Self, BadSettings> {
        if skip {
            tracing::warn!(
                "TLS CERTIFICATES ARE NOT CHECKED: anybody on the way to a broker or an issuer can \
                 read and change what is sent, passwords included; never use skip_tls_verification \
                 outside of experiments"
            );
        }
        let mut all = Vec::new();
        for (index, text) in extra.iter().enumerate() {
            let bad = |reason| BadSettings::Root {
                number: index + 1,
                reason,
            };
            let found = certificates(text).map_err(bad)?;
            let mut scratch = RootCertStore::empty();
            for one in &found {
                scratch.add(one.clone()).map_err(|_| {
                    bad("the certificate is damaged or of an unknown kind".to_owned())
                })?;
            }
            all.extend(found);
        }
        Ok(Self {
            extra: all,
            skip,
            provider: Arc::new(default_provider()),
            verifier: OnceCell::new(),
        })
    }

    /// A configuration that shows this certificate, or none.
    pub(crate) async fn config(
        &self,
        shows: Option<Arc<CertifiedKey>>,
    ) -> Result<Arc<ClientConfig>, RelayError> {
        let verifier = self.verifier.get_or_try_init(|| self.load()).await?;
        let builder = ClientConfig::builder_with_provider(Arc::clone(&self.provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| failed("TLS cannot be set up", error))?
            // This is how a verifier is shared; it checks as the ordinary one does.
            .dangerous()
            .with_custom_certificate_verifier(Arc::clone(verifier));
        let mut config = match shows {
            None => builder.with_no_client_auth(),
            Some(pair) => builder.with_client_cert_resolver(Arc::new(SingleCertAndKey::from(pair))),
        };
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        config.resumption = Resumption::in_memory_sessions(SESSIONS);
        Ok(Arc::new(config))
    }

    async fn load(&self) -> Result<Arc<dyn ServerCertVerifier>, RelayError> {
        if self.skip {
            return Ok(Arc::new(Unchecked::new(Arc::clone(&self.provider))));
        }
        // Many files are read.
        let native = tokio::task::spawn_blocking(rustls_native_certs::load_native_certs)
            .await
            .map_err(|error| failed("the authorities of this machine cannot be read", error))?;
        for error in &native.errors {
            tracing::warn!(%error, "some authorities of this machine cannot be read");
        }
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(native.certs);
        roots.add_parsable_certificates(self.extra.iter().cloned());
        if roots.is_empty() {
            return Err(RelayError::Tls {
                message: "no certificate can be checked: this machine has no authorities (its \
                          package is often called ca-certificates) and the manager is configured \
                          without any"
                    .to_owned(),
                source: None,
            });
        }
        let builder = WebPkiServerVerifier::builder_with_provider(
            Arc::new(roots),
            Arc::clone(&self.provider),
        );
        let verifier = builder
            .build()
            .map_err(|error| failed("TLS cannot be set up", error))?;
        Ok(verifier)
    }
}

fn failed(message: &str, error: impl std::error::Error + Send + Sync + 'static) -> RelayError {
    RelayError::Tls {
        message: format!("{message}; the log has the cause"),
        source: Some(Box::new(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_authority_is_named_by_its_number() {
        let good = rcgen::generate_simple_self_signed(["ca".to_owned()]).unwrap();
        let extra = [good.cert.pem(), "hunter2".to_owned()];
        let Err(BadSettings::Root { number, reason }) = Trust::new(&extra, false) else {
            panic!("taken");
        };
        assert_eq!(number, 2);
        assert!(!reason.contains("hunter2"), "{reason}");
        let damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_owned();
        assert!(Trust::new(&[damaged], false).is_err());
        assert!(Trust::new(&extra[..1], false).is_ok());
    }
}
