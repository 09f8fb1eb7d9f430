//! Whom to trust, and with which certificate to come.

use anyhow::{Context, Result};
use hyper_rustls::ConfigBuilderExt;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::{ClientConfig, DigitallySignedStruct, SignatureScheme};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use std::path::PathBuf;
use std::sync::Arc;

/// Whom to trust, and with which certificate to come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Trust {
    /// Anybody; the person said so.
    pub(crate) anybody: bool,
    /// A client certificate and its key, PEM files.
    pub(crate) certificate: Option<(PathBuf, PathBuf)>,
}

impl Trust {
    pub(super) fn config(&self) -> Result<ClientConfig> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let builder = if self.anybody {
            builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(Anybody(provider)))
        } else {
            builder
                .with_native_roots()
                .context("this machine has no certificates of authorities to trust")?
        };
        let Some((certificate, key)) = &self.certificate else {
            return Ok(builder.with_no_client_auth());
        };
        let chain = CertificateDer::pem_file_iter(certificate)
            .and_then(Iterator::collect)
            .with_context(|| format!("{} holds no certificate", certificate.display()))?;
        let key = PrivateKeyDer::from_pem_file(key)
            .with_context(|| format!("{} holds no key", key.display()))?;
        Ok(builder.with_client_auth_cert(chain, key)?)
    }
}

/// Takes every certificate, as `--skip-ssl-validation` wants.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
