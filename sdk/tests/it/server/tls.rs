//! HTTPS and client certificates, with an authority made on the spot.

use super::*;
use quartermaster_sdk::server::{TlsConfig, TlsError};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, SanType,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::path::PathBuf;
use tempfile::TempDir;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// An authority with its files.
struct Authority {
    dir: TempDir,
    issuer: CertifiedIssuer<'static, KeyPair>,
}

/// A certificate and its key, as PEM.
struct Pair {
    cert: String,
    key: String,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params
            .distinguished_name
            .push(DnType::CommonName, "test authority");
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let dir = TempDir::new().unwrap();
        std::fs::write(dir.path().join("ca.pem"), issuer.pem()).unwrap();
        Self { dir, issuer }
    }

    fn ca(&self) -> PathBuf {
        self.dir.path().join("ca.pem")
    }

    fn sign(&self, params: &CertificateParams) -> Pair {
        let key = KeyPair::generate().unwrap();
        let cert = params.signed_by(&key, &self.issuer).unwrap();
        Pair {
            cert: cert.pem(),
            key: key.serialize_pem(),
        }
    }

    fn server(&self) -> Pair {
        let mut params = CertificateParams::new(vec!["localhost".into()]).unwrap();
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        self.sign(&params)
    }

    fn client(&self) -> Pair {
        let mut params = CertificateParams::default();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params
            .distinguished_name
            .push(DnType::CommonName, "cf, O=Root");
        params
            .distinguished_name
            .push(DnType::OrganizationName, "Example");
        params.subject_alt_names = vec![
            SanType::URI("spiffe://example/cf".try_into().unwrap()),
            SanType::DnsName("cf.example".try_into().unwrap()),
            SanType::IpAddress("10.0.0.1".parse().unwrap()),
        ];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        self.sign(&params)
    }

    fn config(&self) -> TlsConfig {
        let Pair { cert, key } = self.server();
        let (cert_file, key_file) = (
            self.dir.path().join("cert.pem"),
            self.dir.path().join("key.pem"),
        );
        std::fs::write(&cert_file, cert).unwrap();
        std::fs::write(&key_file, key).unwrap();
        TlsConfig::from_files(cert_file, key_file).unwrap()
    }

    /// A client that trusts this authority and shows a certificate, or none.
    async fn connect(
        &self,
        server: &Running,
        shows: Option<&Pair>,
    ) -> std::io::Result<TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(self.issuer.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots);
        let config = match shows {
            None => builder.with_no_client_auth(),
            Some(Pair { cert, key }) => builder
                .with_client_auth_cert(
                    vec![CertificateDer::from_pem_slice(cert.as_bytes()).unwrap()],
                    PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap(),
                )
                .unwrap(),
        };
        let name = ServerName::try_from("localhost").unwrap();
        TlsConnector::from(Arc::new(config))
            .connect(name, server.connect().await)
            .await
    }

    /// The answer to a GET, or nothing when the server would not talk.
    async fn get(&self, server: &Running, shows: Option<&Pair>, path: &str) -> Option<String> {
        let mut stream = self.connect(server, shows).await.ok()?;
        // In TLS 1.3 the client is done before the server has judged its certificate.
        stream.write_all(get_request(path).as_bytes()).await.ok()?;
        let mut answer = String::new();
        within(stream.read_to_string(&mut answer)).await.ok()?;
        Some(answer)
    }
}

#[tokio::test]
async fn speaks_tls_and_nothing_else_on_that_port() {
    let authority = Authority::new();
    let server = plain().tls(authority.config());
    assert_eq!((plain().scheme(), server.scheme()), ("http", "https"));
    let server = Running::start(server).await;
    let answer = authority.get(&server, None, "/hello").await.unwrap();
    assert!(answer.ends_with("hello"), "{answer}");
    let answer = authority.get(&server, None, "/who").await.unwrap();
    assert!(answer.ends_with("nobody"), "{answer}");

    let mut plain_client = server.connect().await;
    plain_client
        .write_all(get_request("/hello").as_bytes())
        .await
        .unwrap();
    let mut answer = Vec::new();
    let _ = within(plain_client.read_to_end(&mut answer)).await;
    assert!(!String::from_utf8_lossy(&answer).contains("HTTP/"));
    server.stop().await;
}

#[tokio::test]
async fn a_required_client_certificate_is_required() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    let tls = authority.config().client_ca(authority.ca(), true).unwrap();
    let server = Running::start(plain().tls(tls)).await;

    let client = authority.client();
    let answer = authority.get(&server, Some(&client), "/who").await.unwrap();
    // A comma inside a name stays inside it.
    assert!(
        answer.contains(r#"common_name: Some("cf, O=Root")"#),
        "{answer}"
    );
    assert!(
        answer.contains(r#"subject: "CN=cf\\, O\\=Root, O=Example""#),
        "{answer}"
    );
    for san in ["URI:spiffe://example/cf", "DNS:cf.example", "IP:10.0.0.1"] {
        assert!(answer.contains(san), "{san}: {answer}");
    }
    let der = CertificateDer::from_pem_slice(client.cert.as_bytes()).unwrap();
    let sha = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &der);
    let hex: String = sha
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert!(answer.contains(&hex), "{answer}");

    assert_eq!(authority.get(&server, None, "/hello").await, None);
    assert_eq!(
        authority
            .get(&server, Some(&stranger.client()), "/hello")
            .await,
        None
    );
    // A certificate for servers does not make a client.
    assert_eq!(
        authority
            .get(&server, Some(&authority.server()), "/hello")
            .await,
        None
    );
    server.stop().await;
}

#[tokio::test]
async fn an_optional_client_certificate_is_checked_when_shown() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    let tls = authority.config().client_ca(authority.ca(), false).unwrap();
    let server = Running::start(plain().tls(tls)).await;
    let nobody = authority.get(&server, None, "/who").await.unwrap();
    assert!(nobody.ends_with("nobody"), "{nobody}");
    let somebody = authority
        .get(&server, Some(&authority.client()), "/who")
        .await
        .unwrap();
    assert!(somebody.contains("Example"), "{somebody}");
    assert_eq!(
        authority
            .get(&server, Some(&stranger.client()), "/who")
            .await,
        None
    );
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_never_shakes_hands_blocks_nobody_and_is_ended() {
    let authority = Authority::new();
    let limits = Limits {
        handshake_time: Duration::from_millis(200),
        ..Limits::default()
    };
    let server = Running::start(plain().limits(limits).tls(authority.config())).await;
    let mut silent = Vec::new();
    for _ in 0..20 {
        silent.push(server.connect().await);
    }
    let answer = authority.get(&server, None, "/hello").await.unwrap();
    assert!(answer.ends_with("hello"), "{answer}");
    for stream in silent {
        assert_eq!(read_all(stream).await, "");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_stop_does_not_wait_for_handshakes() {
    let authority = Authority::new();
    let limits = Limits {
        handshake_time: Duration::from_secs(3600),
        grace: Duration::from_secs(3600),
        ..Limits::default()
    };
    let server = Running::start(plain().limits(limits).tls(authority.config())).await;
    let silent = server.connect().await;
    assert_eq!(server.stop().await, Stopped { cut: 0 });
    drop(silent);
}

#[test]
fn bad_files_are_named() {
    let authority = Authority::new();
    let file = |name: &str, text: &str| {
        let path = authority.dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let Pair { cert, key } = authority.server();
    let (cert, key) = (file("good.pem", &cert), file("good.key", &key));
    let empty = file("empty.pem", "");
    let other_key = file("other.key", &authority.server().key);

    let missing = TlsConfig::from_files("/does/not/exist.pem", &key).unwrap_err();
    assert!(
        missing.to_string().contains("/does/not/exist.pem"),
        "{missing}"
    );
    let none = TlsConfig::from_files(&empty, &key).unwrap_err();
    assert!(matches!(none, TlsError::NoCertificate { .. }), "{none:?}");
    let keyless = TlsConfig::from_files(&cert, &cert).unwrap_err();
    assert!(keyless.to_string().contains("good.pem"), "{keyless}");
    let foreign = TlsConfig::from_files(&cert, &other_key).unwrap_err();
    assert!(matches!(foreign, TlsError::Pair(_)), "{foreign:?}");
    let good = TlsConfig::from_files(&cert, &key).unwrap();
    assert!(!format!("{good:?}").contains("PRIVATE"));
    let no_ca = good.client_ca(&empty, true).unwrap_err();
    assert!(matches!(no_ca, TlsError::NoCertificate { .. }), "{no_ca:?}");
}

/// The whole way from words to handshakes. With certificates and no password, nothing is made up.
#[cfg(feature = "cli")]
#[tokio::test]
async fn flags_make_an_https_server_for_known_clients() {
    use clap::Parser;
    use quartermaster_sdk::args::ServeArgs;
    use quartermaster_sdk::auth::Authenticator;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        serve: ServeArgs,
    }
    let authority = Authority::new();
    drop(authority.config());
    let file = |name: &str| authority.dir.path().join(name).display().to_string();
    let words = ["--listen=127.0.0.1:0", "--health=127.0.0.1:0"].map(str::to_owned);
    let files = [
        ("tls-cert", "cert.pem"),
        ("tls-key", "key.pem"),
        ("client-ca", "ca.pem"),
    ]
    .map(|(flag, name)| format!("--{flag}={}", file(name)));
    let program = ["broker".to_owned()];
    let Words { serve } = Words::parse_from(program.iter().chain(&words).chain(&files));

    assert_eq!(serve.credentials().unwrap(), None);
    let auth = ServeArgs::authenticator(None);
    let (nobody, ()) = http::Request::new(()).into_parts();
    assert!(auth.authenticate(&nobody).is_err());

    let listener = serve.bind().await.unwrap();
    let addr = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let task = tokio::spawn(async move {
        let shutdown = async {
            let _ = stopped.await;
        };
        let service = service(closed(), closed());
        serve
            .run(listener, service, |health| health, shutdown)
            .await
            .unwrap()
    });
    let server = Running { addr, stop, task };
    let answer = authority
        .get(&server, Some(&authority.client()), "/who")
        .await
        .unwrap();
    assert!(answer.contains("spiffe://example/cf"), "{answer}");
    // Health has an address of its own, so the path belongs to the service.
    let answer = authority
        .get(&server, Some(&authority.client()), "/healthz")
        .await
        .unwrap();
    assert!(answer.ends_with("service: not here"), "{answer}");
    assert_eq!(authority.get(&server, None, "/who").await, None);
    server.stop().await;
}
