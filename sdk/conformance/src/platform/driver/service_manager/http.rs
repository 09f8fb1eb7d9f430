//! HTTP to the Service Manager, with the credentials that `login` found.

use crate::client::tls_config;
use crate::evidence::shorten;
use crate::platform::driver::{State, Told};
use crate::{Duration, Secret, Tls, TlsError, redact};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use std::sync::{Mutex, PoisonError};

/// Larger answers are not read.
const LARGEST: usize = 16 * 1024 * 1024;
/// How long one answer may take. Work is asynchronous, so this is about the server itself.
const LONGEST: Duration = Duration::from_secs(60);

pub(super) struct Http {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    url: String,
    authorization: Mutex<Option<Secret<String>>>,
}

/// An answer.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) json: Value,
    shown: String,
}

impl Reply {
    /// One line for people, secrets starred.
    pub(super) fn line(&self) -> String {
        format!("{} {}", self.status, self.shown)
    }

    /// A text of the body.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.json.get(name)?.as_str().map(str::to_owned)
    }
}

impl Http {
    pub(super) fn new(url: String, tls: &Tls) -> Result<Self, TlsError> {
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_nodelay(true);
        connector.set_connect_timeout(Some(Duration::from_secs(10)));
        let https = hyper_rustls::HttpsConnectorBuilder::new()
            .with_tls_config(tls_config(tls)?)
            .https_or_http()
            .enable_http1()
            .wrap_connector(connector);
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(Duration::from_secs(5))
            .build(https);
        Ok(Self {
            client,
            url,
            authorization: Mutex::default(),
        })
    }

    /// Sends these credentials from now on.
    pub(super) fn authorize(&self, value: String) {
        let mut kept = self
            .authorization
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *kept = Some(Secret::new(value));
    }

    fn authorization(&self) -> Option<Secret<String>> {
        let kept = self
            .authorization
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        kept.clone()
    }

    pub(super) async fn get(&self, path: &str) -> Result<Reply, Told> {
        self.send(Method::GET, path, None).await
    }

    pub(super) async fn delete(&self, path: &str) -> Result<Reply, Told> {
        self.send(Method::DELETE, path, None).await
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Reply, Told> {
        self.send(Method::POST, path, Some(body)).await
    }

    pub(super) async fn patch(&self, path: &str, body: &Value) -> Result<Reply, Told> {
        self.send(Method::PATCH, path, Some(body)).await
    }

    async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Reply, Told> {
        let bytes = body.map(Value::to_string).unwrap_or_default();
        let mut headers = HeaderMap::new();
        if body.is_some() {
            let json = HeaderValue::from_static("application/json");
            headers.insert(header::CONTENT_TYPE, json);
        }
        if let Some(text) = self.authorization()
            && let Ok(mut value) = HeaderValue::from_str(text.expose())
        {
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }
        let url = format!("{}{path}", self.url);
        self.exchange(method, &url, headers, bytes.into()).await
    }

    /// Any request to any address.
    pub(super) async fn exchange(
        &self,
        method: Method,
        url: &str,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Reply, Told> {
        let broken = |why: String| Told::new(State::Broken, format!("{method} {url}: {why}"));
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method.clone();
        *request.uri_mut() = url.parse().map_err(|_| broken("no address".to_owned()))?;
        *request.headers_mut() = headers;
        let whole = async {
            let response = self.client.request(request).await;
            let response = response.map_err(|error| broken(crate::client::causes(&error)))?;
            let (head, body) = response.into_parts();
            let body = Limited::new(body, LARGEST).collect().await;
            let body = body.map_err(|error| broken(error.to_string()))?.to_bytes();
            Ok(Reply {
                status: head.status.as_u16(),
                headers: head.headers,
                json: serde_json::from_slice(&body).unwrap_or_default(),
                shown: shorten(&redact::body(&body).unwrap_or_default(), 300),
            })
        };
        let outcome = tokio::time::timeout(LONGEST, whole).await;
        outcome.unwrap_or_else(|_| Err(broken(format!("no answer within {} s", LONGEST.as_secs()))))
    }
}
