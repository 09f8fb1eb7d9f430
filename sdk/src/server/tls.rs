//! The TLS side of the server: certificate, key, and who may connect.
//!
//! Built once at start, handed to [`Server::tls`](super::Server::tls). The rule: the cryptography is
//! named here and nothing is installed for the process, so that a program with other ideas about its
//! default provider is left alone.

use rustls::RootCertStore;
use rustls::ServerConfig;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Certificate, key and client authority of a server.
pub struct TlsConfig {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
    server: Arc<ServerConfig>,
}

/// Why a TLS configuration is not usable.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read or is not PEM.
    #[error("{} is not a readable PEM file", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the reader said.
        source: rustls_pki_types::pem::Error,
    },
    /// A file has no certificate in it.
    #[error("{} has no certificate", path.display())]
    NoCertificate {
        /// The file.
        path: PathBuf,
    },
    /// Certificate and key do not belong together, or their kind is not supported.
    #[error("the certificate and the key cannot be used together")]
    Pair(#[source] rustls::Error),
    /// The authority for client certificates cannot be used.
    #[error("the client authority cannot be used")]
    ClientCa(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl TlsConfig {
    /// Reads a certificate chain (leaf first) and its private key, both PEM.
    pub fn from_files(cert: impl AsRef<Path>, key: impl AsRef<Path>) -> Result<Self, TlsError> {
        let chain = certificates(cert.as_ref())?;
        let key = PrivateKeyDer::from_pem_file(key.as_ref()).map_err(|source| TlsError::File {
            path: key.as_ref().to_owned(),
            source,
        })?;
        let server = server(&chain, &key, WebPkiClientVerifier::no_client_auth())?;
        Ok(Self { chain, key, server })
    }

    /// Asks clients for a certificate signed by one of these authorities (PEM).
    ///
    /// `required`: no connection without one. Otherwise whoever has none connects and is asked in another
    /// way; whoever shows a wrong one is still refused.
    pub fn client_ca(self, path: impl AsRef<Path>, required: bool) -> Result<Self, TlsError> {
        let mut roots = RootCertStore::empty();
        for certificate in certificates(path.as_ref())? {
            roots
                .add(certificate)
                .map_err(|error| TlsError::ClientCa(Box::new(error)))?;
        }
        let builder = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider());
        let builder = match required {
            true => builder,
            false => builder.allow_unauthenticated(),
        };
        let verifier = builder
            .build()
            .map_err(|error| TlsError::ClientCa(Box::new(error)))?;
        let Self { chain, key, .. } = self;
        let server = server(&chain, &key, verifier)?;
        Ok(Self { chain, key, server })
    }

    pub(super) fn into_server(self) -> Arc<ServerConfig> {
        self.server
    }
}

impl fmt::Debug for TlsConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TlsConfig({} certificates, key ***)", self.chain.len())
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(aws_lc_rs::default_provider())
}

fn server(
    chain: &[CertificateDer<'static>],
    key: &PrivateKeyDer<'static>,
    clients: Arc<dyn ClientCertVerifier>,
) -> Result<Arc<ServerConfig>, TlsError> {
    let mut server = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Pair)?
        .with_client_cert_verifier(clients)
        .with_single_cert(chain.to_vec(), key.clone_key())
        .map_err(TlsError::Pair)?;
    server.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(server))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let file = |source| TlsError::File {
        path: path.to_owned(),
        source,
    };
    let chain = CertificateDer::pem_file_iter(path)
        .map_err(file)?
        .collect::<Result<Vec<_>, _>>()
        .map_err(file)?;
    match chain.is_empty() {
        true => Err(TlsError::NoCertificate {
            path: path.to_owned(),
        }),
        false => Ok(chain),
    }
}
