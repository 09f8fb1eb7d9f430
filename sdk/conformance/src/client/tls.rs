//! TLS for the client: the machine's roots, a given CA, or trust in anybody.

use crate::Tls;
use hyper_rustls::ConfigBuilderExt;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};
use std::sync::Arc;

/// TLS cannot be set up. The caller changes the CA file.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The CA file is not PEM.
    #[error("the CA file is not PEM")]
    Pem(#[source] rustls_pki_types::pem::Error),
    /// The CA file holds no certificate.
    #[error("the CA file holds no certificate")]
    Empty,
    /// A certificate in the CA file cannot be used, or TLS has no usable version.
    #[error("TLS cannot be set up")]
    Rustls(#[from] rustls::Error),
}

pub(crate) fn config(tls: &Tls) -> Result<ClientConfig, TlsError> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()?;
    if tls.insecure {
        let trust = Arc::new(Anybody(provider));
        return Ok(builder
            .dangerous()
            .with_custom_certificate_verifier(trust)
            .with_no_client_auth());
    }
    let Some(pem) = &tls.ca_pem else {
        return match builder.with_native_roots() {
            Ok(builder) => Ok(builder.with_no_client_auth()),
            // A plain-text broker needs no roots, so a machine without any can still be used.
            Err(_) => Ok(without_roots(provider)?),
        };
    };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        roots.add(certificate.map_err(TlsError::Pem)?)?;
    }
    if roots.is_empty() {
        return Err(TlsError::Empty);
    }
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

fn without_roots(provider: Arc<CryptoProvider>) -> Result<ClientConfig, TlsError> {
    Ok(ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth())
}

/// Trusts every certificate, but still checks that the peer holds its key.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
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
