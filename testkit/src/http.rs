//! A tiny HTTP client for tests, and a socket for requests that no client would send.
//!
//! The rule: it adds nothing to a request but what its caller asked for at `new`, so that a test sends
//! exactly what it says.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{HeaderValue, Method, Request, Response, Uri};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client as Pool;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use std::error::Error as StdError;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// How long a whole answer may take: a test of a hanging server must fail, not hang. Tests that expect a hang
/// put a shorter time around their call.
const PATIENCE: Duration = Duration::from_secs(180);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request cannot be sent at all.
    #[error("not a sendable request")]
    Request(#[source] http::Error),
    /// No connection, or no whole head came back.
    #[error("no answer")]
    Send(#[source] Box<dyn StdError + Send + Sync>),
    /// The answer did not come to an end in three minutes.
    #[error("no end of the answer within {} seconds", PATIENCE.as_secs())]
    Timeout,
    /// The body broke off.
    #[error("the body of the answer broke off")]
    Body(#[source] Box<dyn StdError + Send + Sync>),
}

/// A client for one server, with one pair of credentials. Cheap to clone; connections are shared.
#[derive(Debug, Clone)]
pub struct Client {
    pool: Pool<HttpConnector, Full<Bytes>>,
    url: String,
    authorization: Option<HeaderValue>,
}

impl Client {
    /// For a server at `url` (`http://host:port`, with or without a path); basic authentication on every
    /// request that brings no `Authorization` of its own. An empty user means none.
    pub fn new(url: &str, user: &str, password: &str) -> Self {
        let token = STANDARD.encode(format!("{user}:{password}"));
        let authorization = HeaderValue::from_str(&format!("Basic {token}")).ok();
        Self {
            pool: Pool::builder(TokioExecutor::new()).build_http(),
            url: url.trim_end_matches('/').to_owned(),
            authorization: authorization.filter(|_| !user.is_empty()),
        }
    }

    /// Sends a request whose URI is a path and query, and reads the whole answer.
    pub async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, Error> {
        let (mut head, body) = request.into_parts();
        let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
        head.uri = Uri::try_from(format!("{}{path}", self.url))
            .map_err(|error| Error::Request(error.into()))?;
        if let Some(value) = &self.authorization {
            let entry = head.headers.entry(AUTHORIZATION);
            entry.or_insert_with(|| value.clone());
        }
        let exchange = self.exchange(Request::from_parts(head, Full::new(body)));
        let exchanged = tokio::time::timeout(PATIENCE, exchange).await;
        exchanged.map_err(|_| Error::Timeout)?
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<Response<Bytes>, Error> {
        let answer = self.pool.request(request).await;
        let (head, body) = answer
            .map_err(|error| Error::Send(error.into()))?
            .into_parts();
        let body = body.collect().await;
        let body = body.map_err(|error| Error::Body(error.into()))?.to_bytes();
        Ok(Response::from_parts(head, body))
    }

    /// An OSB request in its plainest form: version header, JSON body if any.
    pub async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Response<Bytes>, Error> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("X-Broker-API-Version", "2.17");
        let mut bytes = Bytes::new();
        if let Some(body) = body {
            request = request.header(http::header::CONTENT_TYPE, "application/json");
            bytes = Bytes::from(body.to_string());
        }
        self.send(request.body(bytes).map_err(Error::Request)?)
            .await
    }

    /// `GET` by [`call`](Self::call).
    pub async fn get(&self, path: &str) -> Result<Response<Bytes>, Error> {
        self.call(Method::GET, path, None).await
    }

    /// `PUT` by [`call`](Self::call).
    pub async fn put(&self, path: &str, body: &Value) -> Result<Response<Bytes>, Error> {
        self.call(Method::PUT, path, Some(body)).await
    }

    /// `PATCH` by [`call`](Self::call).
    pub async fn patch(&self, path: &str, body: &Value) -> Result<Response<Bytes>, Error> {
        self.call(Method::PATCH, path, Some(body)).await
    }

    /// `POST` by [`call`](Self::call).
    pub async fn post(&self, path: &str, body: &Value) -> Result<Response<Bytes>, Error> {
        self.call(Method::POST, path, Some(body)).await
    }

    /// `DELETE` by [`call`](Self::call).
    pub async fn delete(&self, path: &str) -> Result<Response<Bytes>, Error> {
        self.call(Method::DELETE, path, None).await
    }
}

/// The body of an answer as JSON; `null` when it is none.
pub fn json(answer: &Response<Bytes>) -> Value {
    serde_json::from_slice(answer.body()).unwrap_or(Value::Null)
}

/// Sends bytes as they are, and returns what came back until the peer closed or `timeout` passed. A
/// connection that is refused or reset is the end of the bytes, not an error.
pub async fn raw(address: SocketAddr, bytes: &[u8], timeout: Duration) -> Vec<u8> {
    let mut answer = Vec::new();
    let exchange = async {
        let mut stream = TcpStream::connect(address).await?;
        // The peer may answer and close before it has read everything; what it said still counts.
        let _ = stream.write_all(bytes).await;
        while stream.read_buf(&mut answer).await? > 0 {}
        std::io::Result::Ok(())
    };
    let _ = tokio::time::timeout(timeout, exchange).await;
    answer
}
