//! Speaks HTTP to the broker under test and records each exchange.
//!
//! Called by `World` and by the cleaner. The rule: whatever the broker does, hang, cut, or answer
//! nonsense, becomes an `Exchange`; nothing it does is an error of ours.

mod reply;
mod tls;

pub(crate) use reply::Reply;
pub use tls::TlsError;
pub(crate) use tls::config as tls_config;

use crate::evidence::{Exchange, Received, Sent};
use crate::request::{Credentials, Request};
use crate::{Auth, Target, redact};
use base64::Engine;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Answers beyond this size are cut off and count as no answer.
const LARGEST_ANSWER: usize = 16 * 1024 * 1024;

/// The connection to the broker.
pub(crate) struct Client {
    http: hyper_util::client::legacy::Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    target: Target,
    requests: AtomicU64,
}

/// An exchange, and the answer itself when there is one.
#[derive(Debug, Clone)]
pub(crate) struct Exchanged {
    pub(crate) exchange: Arc<Exchange>,
    pub(crate) reply: Option<Reply>,
}

impl Client {
    pub(crate) fn new(target: &Target) -> Result<Self, TlsError> {
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_nodelay(true);
        connector.set_connect_timeout(Some(target.timeout));
        let https = hyper_rustls::HttpsConnectorBuilder::new()
            .with_tls_config(tls::config(&target.tls)?)
            .https_or_http()
            .enable_http1()
            .wrap_connector(connector);
        let http = hyper_util::client::legacy::Client::builder(TokioExecutor::new())
            .pool_idle_timeout(Duration::from_secs(5))
            .build(https);
        Ok(Self {
            http,
            target: target.clone(),
            requests: AtomicU64::new(0),
        })
    }

    /// How many requests were sent so far.
    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Sends a request and waits for the whole answer, or for the timeout.
    pub(crate) async fn exchange(&self, request: &Request) -> Exchanged {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let path = request.path_and_query();
        let headers = self.headers(request);
        let sent = Sent {
            method: request.method.to_string(),
            path: path.clone(),
            headers: shown(&headers),
            body: redact::body(&request.body),
        };
        let started = Instant::now();
        let outcome = self.send(request, &path, headers).await;
        let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        match outcome {
            Ok((status, headers, body)) => {
                let exchange = Arc::new(Exchange {
                    sent,
                    received: Received::Answer {
                        status,
                        headers: shown(&headers),
                        body: redact::body(&body),
                    },
                    millis,
                });
                let reply = Reply::new(status, headers, body, Arc::clone(&exchange));
                Exchanged {
                    exchange,
                    reply: Some(reply),
                }
            }
            Err(reason) => Exchanged {
                exchange: Arc::new(Exchange {
                    sent,
                    received: Received::Nothing { reason },
                    millis,
                }),
                reply: None,
            },
        }
    }

    async fn send(
        &self,
        request: &Request,
        path: &str,
        headers: HeaderMap,
    ) -> Result<(u16, HeaderMap, Bytes), String> {
        let uri: http::Uri = format!("{}{path}", self.target.url)
            .parse()
            .map_err(|error| format!("the suite built a bad URL: {error}"))?;
        let mut message = http::Request::new(Full::new(Bytes::from(request.body.clone())));
        *message.method_mut() = request.method.clone();
        *message.uri_mut() = uri;
        *message.headers_mut() = headers;
        let whole = async {
            let response = self
                .http
                .request(message)
                .await
                .map_err(|error| format!("no answer: {}", causes(&error)))?;
            let (head, body) = response.into_parts();
            let body = Limited::new(body, LARGEST_ANSWER)
                .collect()
                .await
                .map_err(|error| format!("the answer broke off: {}", causes(error.as_ref())))?
                .to_bytes();
            Ok((head.status.as_u16(), head.headers, body))
        };
        match tokio::time::timeout(self.target.timeout, whole).await {
            Ok(outcome) => outcome,
            Err(_) => Err(format!(
                "no answer within {} s",
                self.target.timeout.as_secs_f32()
            )),
        }
    }

    fn headers(&self, request: &Request) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        if request.versioned
            && let Ok(version) = HeaderValue::from_str(&self.target.api_version.to_string())
        {
            headers.insert(HeaderName::from_static("x-broker-api-version"), version);
        }
        if let Some(identity) = &request.identity
            && let Ok(identity) = HeaderValue::from_bytes(identity)
        {
            headers.insert(
                HeaderName::from_static("x-broker-api-request-identity"),
                identity,
            );
        }
        if let Some(content_type) = request.content_type {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        }
        if let Some(authorization) = self.authorization(&request.credentials) {
            headers.insert(header::AUTHORIZATION, authorization);
        }
        for (name, value) in &request.headers {
            headers.append(name.clone(), value.clone());
        }
        headers
    }

    fn authorization(&self, credentials: &Credentials) -> Option<HeaderValue> {
        let text = match credentials {
            Credentials::Absent => return None,
            Credentials::Raw(text) => text.clone(),
            Credentials::Right => match &self.target.auth {
                Auth::None => return None,
                Auth::Basic { user, password } => basic(user, password.expose()),
                Auth::Bearer(token) => format!("Bearer {}", token.expose()),
            },
        };
        let mut value = HeaderValue::from_str(&text).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

/// The value of an `Authorization` header for HTTP basic.
pub(crate) fn basic(user: &str, password: &str) -> String {
    let pair = base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}"));
    format!("Basic {pair}")
}

fn shown(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| {
            let shown = redact::header(name.as_str(), value.as_bytes());
            (name.to_string(), shown)
        })
        .collect()
}

/// An error and its causes in one line; causes that repeat the line above are left out.
pub(crate) fn causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let line = cause.to_string();
        if !text.contains(&line) {
            text = format!("{text}: {line}");
        }
        next = cause.source();
    }
    text
}
