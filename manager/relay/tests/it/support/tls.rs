//! Authorities, certificates, and a TLS front for any server.

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, date_time_ymd,
};
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, SupportedProtocolVersion};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

/// A certificate and its key, PEM.
pub(crate) struct Pair {
    pub(crate) cert: String,
    pub(crate) key: String,
}

pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().unwrap();
        Self {
            issuer: CertifiedIssuer::self_signed(params, key).unwrap(),
        }
    }

    pub(crate) fn pem(&self) -> String {
        self.issuer.pem()
    }

    fn sign(&self, params: &CertificateParams) -> Pair {
        let key = KeyPair::generate().unwrap();
        let cert = params.signed_by(&key, &self.issuer).unwrap();
        Pair {
            cert: cert.pem(),
            key: key.serialize_pem(),
        }
    }

    pub(crate) fn server(&self, names: &[&str]) -> Pair {
        self.sign(&server(names))
    }

    pub(crate) fn expired(&self, names: &[&str]) -> Pair {
        let mut params = server(names);
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 2, 3);
        self.sign(&params)
    }

    pub(crate) fn client(&self) -> Pair {
        let mut params = CertificateParams::default();
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        self.sign(&params)
    }
}

fn server(names: &[&str]) -> CertificateParams {
    let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names).unwrap();
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params
}

/// Speaks TLS on one side and passes the bytes on to a plain server. Stops when dropped.
pub(crate) struct Front {
    pub(crate) address: SocketAddr,
    accepting: JoinHandle<()>,
}

impl Front {
    /// `clients`: whoever connects must show a certificate of this authority.
    pub(crate) async fn start(pair: &Pair, clients: Option<&Authority>, to: SocketAddr) -> Self {
        Self::speaking(rustls::ALL_VERSIONS, pair, clients, to).await
    }

    pub(crate) async fn speaking(
        versions: &[&'static SupportedProtocolVersion],
        pair: &Pair,
        clients: Option<&Authority>,
        to: SocketAddr,
    ) -> Self {
        let config = config(versions, pair, clients);
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let accepting = tokio::spawn(async move {
            let mut open = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                open.spawn(pass_on(acceptor.clone(), stream, to));
            }
        });
        Self { address, accepting }
    }

    pub(crate) fn url(&self) -> String {
        format!("https://{}", self.address)
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn pass_on(acceptor: TlsAcceptor, stream: TcpStream, to: SocketAddr) {
    match acceptor.accept(stream).into_fallible().await {
        Ok(mut secured) => {
            let mut plain = TcpStream::connect(to).await.unwrap();
            let _ = copy_bidirectional(&mut secured, &mut plain).await;
        }
        // Closing with unread bytes would reset the connection and the alert might not be seen.
        Err((_, mut stream)) => {
            let mut rest = Vec::new();
            let _ = stream.read_to_end(&mut rest).await;
        }
    }
}

fn config(
    versions: &[&'static SupportedProtocolVersion],
    pair: &Pair,
    clients: Option<&Authority>,
) -> ServerConfig {
    let provider = Arc::new(default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(versions)
        .unwrap();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(authority) => {
            let mut roots = RootCertStore::empty();
            roots.add(authority.issuer.der().clone()).unwrap();
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            builder.with_client_cert_verifier(verifier.build().unwrap())
        }
    };
    let chain = vec![CertificateDer::from_pem_slice(pair.cert.as_bytes()).unwrap()];
    let key = PrivateKeyDer::from_pem_slice(pair.key.as_bytes()).unwrap();
    builder.with_single_cert(chain, key).unwrap()
}
