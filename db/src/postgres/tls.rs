//! How the connection to the server is protected. [`Options::parse`](crate::Options::parse) reads
//! it from the address.
//!
//! The rule that keeps it right: the words mean what PostgreSQL's own tools mean by them, or more:
//! `disable`; `prefer` and `require` encrypt without looking at the certificate, unless
//! `sslrootcert` names one; `verify-ca` and `verify-full` both check certificate and host name.

use tokio_postgres::config::SslMode;

use crate::error::Error;

/// The protection, ready to be used for each connection.
#[derive(Clone)]
pub(crate) enum Tls {
    Off,
    #[cfg(feature = "tls")]
    On(tokio_postgres_rustls::MakeRustlsConnect),
}

/// What the address says about it.
#[derive(Default)]
pub(crate) struct Wish<'a> {
    pub(crate) mode: Option<&'a str>,
    pub(crate) root: Option<&'a str>,
}

impl Wish<'_> {
    pub(crate) fn ready(&self) -> Result<(SslMode, Tls), Error> {
        let (mode, check) = match self.mode {
            Some("disable") => return Ok((SslMode::Disable, Tls::Off)),
            None | Some("prefer") => (SslMode::Prefer, self.root.is_some()),
            Some("require") => (SslMode::Require, self.root.is_some()),
            Some("verify-ca" | "verify-full") => (SslMode::Require, true),
            Some(_) => {
                return Err(wrong(
                    "sslmode is one of disable, prefer, require, verify-ca, verify-full",
                ));
            }
        };
        on(mode, check, self.root)
    }
}

#[cfg(not(feature = "tls"))]
fn on(mode: SslMode, _: bool, _: Option<&str>) -> Result<(SslMode, Tls), Error> {
    match mode {
        SslMode::Require => Err(wrong("this program was built without TLS")),
        _ => Ok((SslMode::Disable, Tls::Off)),
    }
}

#[cfg(feature = "tls")]
fn on(mode: SslMode, check: bool, root: Option<&str>) -> Result<(SslMode, Tls), Error> {
    use std::sync::Arc;

    use rustls::ClientConfig;
    use rustls::crypto::aws_lc_rs::default_provider;

    let provider = Arc::new(default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(error.to_string()))?;
    let config = if check {
        builder
            .with_root_certificates(roots(root)?)
            .with_no_client_auth()
    } else {
        let anyone = Arc::new(unchecked::Unchecked { provider });
        builder
            .dangerous()
            .with_custom_certificate_verifier(anyone)
            .with_no_client_auth()
    };
    Ok((
        mode,
        Tls::On(tokio_postgres_rustls::MakeRustlsConnect::new(config)),
    ))
}

#[cfg(feature = "tls")]
fn roots(file: Option<&str>) -> Result<rustls::RootCertStore, Error> {
    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::PemObject;

    let mut store = rustls::RootCertStore::empty();
    match file {
        None | Some("system") => {
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        Some(file) => {
            let bad = |error: String| wrong(format!("sslrootcert {file}: {error}"));
            let all =
                CertificateDer::pem_file_iter(file).map_err(|error| bad(error.to_string()))?;
            for one in all {
                let one = one.map_err(|error| bad(error.to_string()))?;
                store.add(one).map_err(|error| bad(error.to_string()))?;
            }
        }
    }
    if store.is_empty() {
        return Err(wrong(
            "there is no root certificate to check the server with",
        ));
    }
    Ok(store)
}

fn wrong(what: impl Into<String>) -> Error {
    Error::Options { what: what.into() }
}

/// Takes any certificate, as `require` without a root certificate is defined: it keeps listeners
/// out, not impostors. The signatures of the handshake are still checked.
#[cfg(feature = "tls")]
mod unchecked {
    use std::sync::Arc;

    use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
    use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
    use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
    use rustls::{DigitallySignedStruct, Error, SignatureScheme};

    #[derive(Debug)]
    pub(super) struct Unchecked {
        pub(super) provider: Arc<CryptoProvider>,
    }

    impl ServerCertVerifier for Unchecked {
        fn verify_server_cert(
            &self,
            _: &CertificateDer<'_>,
            _: &[CertificateDer<'_>],
            _: &ServerName<'_>,
            _: &[u8],
            _: UnixTime,
        ) -> Result<ServerCertVerified, Error> {
            Ok(ServerCertVerified::assertion())
        }

        fn verify_tls12_signature(
            &self,
            message: &[u8],
            cert: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            verify_tls12_signature(
                message,
                cert,
                signed,
                &self.provider.signature_verification_algorithms,
            )
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            cert: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            verify_tls13_signature(
                message,
                cert,
                signed,
                &self.provider.signature_verification_algorithms,
            )
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.provider
                .signature_verification_algorithms
                .supported_schemes()
        }
    }
}
