//! A scripted issuer that plays the manager as well: it writes down what it was asked and answers as it was told.
//!
//! Doors: `/v1/info`, discovery, `/authorize`, `/device`, `/token`, `/revoke`, and one list of the manager, which wants
//! a token of this issuer.

use aws_lc_rs::digest;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// One request.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) path: String,
    /// Of the query and of the form.
    pub(crate) values: BTreeMap<String, String>,
    pub(crate) authorization: String,
    /// Whether it came with a certificate that the issuer knows.
    pub(crate) certified: bool,
}

/// The issuer.
pub(crate) struct Issuer {
    pub(crate) url: String,
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    url: Mutex<String>,
    /// Where those with a certificate go.
    certified_url: Mutex<String>,
    seen: Mutex<Vec<Seen>>,
    /// What the next polls of a device are told; then it gets its token.
    device: Mutex<VecDeque<&'static str>>,
    tokens: Mutex<u32>,
}

impl Issuer {
    pub(crate) async fn start() -> Self {
        let inner = Arc::new(Inner::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        inner.url.lock().unwrap().clone_from(&url);
        let serving = Arc::clone(&inner);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(talk(stream, Arc::clone(&serving), false));
            }
        });
        Self { url, inner }
    }

    /// Opens a second door for those with a certificate of `authority`; it shows `own` itself.
    pub(crate) async fn certify(
        &self,
        own: &rcgen::CertifiedKey<rcgen::KeyPair>,
        authority: &rcgen::Certificate,
    ) {
        let mut roots = RootCertStore::empty();
        roots.add(authority.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let clients =
            WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
        let key = own.signing_key.serialize_der().try_into().unwrap();
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(clients.build().unwrap())
            .with_single_cert(vec![own.cert.der().clone()], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        *self.inner.certified_url.lock().unwrap() = format!("https://localhost:{port}");
        let serving = Arc::clone(&self.inner);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, serving) = (acceptor.clone(), Arc::clone(&serving));
                tokio::spawn(async move {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        talk(stream, serving, true).await;
                    }
                });
            }
        });
    }

    /// What the next polls of a device are told.
    pub(crate) fn script_device(&self, errors: &[&'static str]) {
        *self.inner.device.lock().unwrap() = errors.iter().copied().collect();
    }

    /// All that was asked at a path, in order.
    pub(crate) fn seen(&self, path: &str) -> Vec<Seen> {
        let seen = self.inner.seen.lock().unwrap();
        seen.iter()
            .filter(|one| one.path == path)
            .cloned()
            .collect()
    }
}

/// One request on a connection, and its answer.
async fn talk(mut stream: impl AsyncRead + AsyncWrite + Unpin, inner: Arc<Inner>, certified: bool) {
    let mut bytes = Vec::new();
    let (head, body) = loop {
        let mut some = [0; 4096];
        match stream.read(&mut some).await {
            Ok(read @ 1..) => bytes.extend_from_slice(&some[..read]),
            _ => return,
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length: usize = header(head, "content-length").parse().unwrap_or(0);
        if body.len() >= length {
            break (head.to_owned(), body.to_owned());
        }
    };
    let target = head.split(' ').nth(1).unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let seen = Seen {
        path: path.to_owned(),
        values: pairs(query).chain(pairs(&body)).collect(),
        authorization: header(&head, "authorization"),
        certified,
    };
    inner.seen.lock().unwrap().push(seen.clone());
    let (status, location, answer) = inner.answer(&seen);
    let text = answer.to_string();
    let reply = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nlocation: {location}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
        text.len()
    );
    let _ = stream.write_all(reply.as_bytes()).await;
    let _ = stream.shutdown().await;
}

impl Inner {
    fn answer(&self, seen: &Seen) -> (u16, String, Value) {
        let url = self.url.lock().unwrap().clone();
        let ok = |answer: Value| (200, String::new(), answer);
        let value = |key: &str| seen.values.get(key).cloned().unwrap_or_default();
        match seen.path.as_str() {
            "/v1/info" => ok(json!({"token_issuer_url": url, "token_basic_auth": true})),
            "/.well-known/openid-configuration" => {
                let certified = self.certified_url.lock().unwrap().clone();
                ok(json!({
                    "issuer": url,
                    "authorization_endpoint": format!("{url}/authorize"),
                    "token_endpoint": format!("{url}/token"),
                    "device_authorization_endpoint": format!("{url}/device"),
                    "revocation_endpoint": format!("{url}/revoke"),
                    "mtls_endpoint_aliases": {"token_endpoint": format!("{certified}/token")},
                }))
            }
            // The code carries the fingerprint, so that the token door can compare.
            "/authorize" => {
                let code = format!("code.{}", value("code_challenge"));
                let back = format!(
                    "{}?code={code}&state={}",
                    value("redirect_uri"),
                    value("state")
                );
                (302, back, json!({}))
            }
            "/device" => ok(json!({
                "device_code": "the-device", "user_code": "ABCD-EFGH", "interval": 0, "expires_in": 600,
                "verification_uri": format!("{url}/activate"),
            })),
            "/token" => self.token(seen, &value("grant_type")),
            "/revoke" => ok(json!({})),
            "/v1/service_brokers" if seen.authorization.starts_with("Bearer e30.") => {
                ok(json!({"num_items": 0, "items": []}))
            }
            _ => refused(401, "Unauthorized"),
        }
    }

    fn token(&self, seen: &Seen, grant: &str) -> (u16, String, Value) {
        let value = |key: &str| seen.values.get(key).map_or("", String::as_str);
        let good = match grant {
            "authorization_code" => {
                let hash = digest::digest(&digest::SHA256, value("code_verifier").as_bytes());
                value("code") == format!("code.{}", URL_SAFE_NO_PAD.encode(hash))
            }
            "urn:ietf:params:oauth:grant-type:device_code" => {
                if let Some(error) = self.device.lock().unwrap().pop_front() {
                    return refused(400, error);
                }
                value("device_code") == "the-device"
            }
            "refresh_token" => value("refresh_token").starts_with("again-"),
            "client_credentials" => seen.certified,
            _ => false,
        };
        if !good {
            return refused(400, "invalid_grant");
        }
        let mut tokens = self.tokens.lock().unwrap();
        *tokens += 1;
        let claims = URL_SAFE_NO_PAD.encode(r#"{"sub":"4711","user_name":"jane"}"#);
        let mut answer = json!({
            "access_token": format!("e30.{claims}.{tokens}"), "token_type": "bearer", "expires_in": 3600,
        });
        if grant != "client_credentials" {
            answer["refresh_token"] = format!("again-{tokens}").into();
        }
        (200, String::new(), answer)
    }
}

fn refused(status: u16, error: &str) -> (u16, String, Value) {
    let words = format!("the issuer says {error}");
    (
        status,
        String::new(),
        json!({"error": error, "error_description": words}),
    )
}

fn header(head: &str, name: &str) -> String {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    let mut found = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
    found
        .next()
        .map_or_else(String::new, |(_, value)| value.trim().to_owned())
}

fn pairs(form: &str) -> impl Iterator<Item = (String, String)> + '_ {
    let decoded = |text: &str| {
        let text = text.replace('+', " ");
        let text = percent_encoding::percent_decode_str(&text).decode_utf8_lossy();
        text.into_owned()
    };
    let pairs = form.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(move |(key, value)| (decoded(key), decoded(value)))
}
