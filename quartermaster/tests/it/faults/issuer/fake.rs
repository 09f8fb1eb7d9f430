//! A small issuer: discovery, keys, and tokens signed with them. It can come and go at one address.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub(super) struct Issuer {
    address: SocketAddr,
    /// Made when they are first named; not all are published.
    keys: Mutex<BTreeMap<String, Arc<EcdsaKeyPair>>>,
    fetches: Arc<AtomicUsize>,
    serving: Option<JoinHandle<()>>,
}

impl Issuer {
    /// One that is not there yet, at an address that stays its own.
    pub(super) fn away() -> Self {
        Self {
            address: qm_testkit::process::free_address().unwrap(),
            keys: Mutex::default(),
            fetches: Arc::default(),
            serving: None,
        }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Begins to answer and publishes these keys.
    pub(super) async fn come(&mut self, published: &[&str]) {
        let url = self.url();
        let keys: Vec<Value> = published.iter().map(|id| self.public(id)).collect();
        let discovery = json!({
            "issuer": url,
            "jwks_uri": format!("{url}/keys"),
            "token_endpoint": format!("{url}/token"),
            "authorization_endpoint": format!("{url}/authorize"),
        });
        let listener = TcpListener::bind(self.address).await.unwrap();
        let fetches = Arc::clone(&self.fetches);
        self.serving = Some(tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                answer(stream, &discovery, &json!({"keys": keys}), &fetches).await;
            }
        }));
    }

    /// Is gone, and its port is free.
    pub(super) async fn go(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.abort();
            let _ = serving.await;
        }
    }

    /// How often its keys were fetched.
    pub(super) fn key_fetches(&self) -> usize {
        self.fetches.load(Ordering::SeqCst)
    }

    fn key(&self, id: &str) -> Arc<EcdsaKeyPair> {
        let mut keys = self.keys.lock().unwrap();
        let made = keys.entry(id.to_owned());
        Arc::clone(made.or_insert_with(|| {
            Arc::new(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap())
        }))
    }

    fn public(&self, id: &str) -> Value {
        let key = self.key(id);
        // 4, x, y
        let point = key.public_key().as_ref();
        json!({
            "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": id,
            "x": URL_SAFE_NO_PAD.encode(&point[1..33]),
            "y": URL_SAFE_NO_PAD.encode(&point[33..65]),
        })
    }

    /// A fresh token that bears this role; no two are the same.
    pub(super) fn token(&self, key: &str, role: &str) -> String {
        static NEXT: AtomicUsize = AtomicUsize::new(1);
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap()
            .as_secs();
        let head = json!({"alg": "ES256", "typ": "JWT", "kid": key});
        let claims = json!({
            "iss": self.url(), "aud": "quartermaster", "sub": "somebody", "preferred_username": "somebody",
            "iat": now, "exp": now + 3600, "roles": [role],
            "jti": NEXT.fetch_add(1, Ordering::Relaxed).to_string(),
        });
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(&head), part(&claims));
        let signature = self
            .key(key)
            .sign(&SystemRandom::new(), signed.as_bytes())
            .unwrap();
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature.as_ref()))
    }
}

impl Drop for Issuer {
    fn drop(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.abort();
        }
    }
}

async fn answer(mut stream: TcpStream, discovery: &Value, keys: &Value, fetches: &AtomicUsize) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8_lossy(&head);
    let (status, body) = match head.split(' ').nth(1) {
        Some("/.well-known/openid-configuration") => ("200 OK", discovery.to_string()),
        Some("/keys") => {
            fetches.fetch_add(1, Ordering::SeqCst);
            ("200 OK", keys.to_string())
        }
        _ => ("404 Not Found", "{}".to_owned()),
    };
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(answer.as_bytes()).await;
}
