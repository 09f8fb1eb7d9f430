//! Sends one HTTP request and reads the whole answer. The client of the manager and the login flows stand on it.
//!
//! The rule: what goes over the wire is shown with `--verbose`, and never a secret with it. Roots and certificates are
//! only read when something is https, so that a plain manager on this machine answers at once.

mod proxy;
mod redact;
mod tls;

pub(crate) use tls::Trust;

use crate::exit::Exit;
use crate::problem::Problem;
use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client as Pool, connect::proxy::Tunnel};
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::TokioExecutor;
use std::error::Error as StdError;
use std::sync::OnceLock;
use std::time::Duration;

/// Answers beyond this size are not read.
const LARGEST: usize = 256 * 1024 * 1024;

type Body = Full<Bytes>;

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// The way to other machines.
pub(crate) struct Transport {
    trust: Trust,
    verbose: bool,
    proxies: Matcher,
    plain: OnceLock<Pool<HttpConnector, Body>>,
    secure: OnceLock<Pool<HttpsConnector<HttpConnector>, Body>>,
}

impl Transport {
    pub(crate) fn new(trust: Trust, verbose: bool) -> Self {
        Self {
            trust,
            verbose,
            proxies: Matcher::from_env(),
            plain: OnceLock::new(),
            secure: OnceLock::new(),
        }
    }

    /// Sends a request. `within` bounds the whole exchange.
    pub(crate) async fn send(
        &self,
        request: Request<Bytes>,
        within: Option<Duration>,
    ) -> Result<Reply, Problem> {
        let target = format!("{}", request.uri());
        if self.verbose {
            redact::show_request(&request);
        }
        let exchange = self.exchange(request.map(Full::new));
        let reply = match within {
            Some(limit) => match tokio::time::timeout(limit, exchange).await {
                Ok(reply) => reply,
                Err(_) => return Err(too_slow(&target, limit)),
            },
            None => exchange.await,
        };
        let reply = reply.map_err(|error| unreachable(&target, error.as_ref()))?;
        if self.verbose {
            redact::show_reply(&reply);
        }
        Ok(reply)
    }

    async fn exchange(
        &self,
        request: Request<Body>,
    ) -> Result<Reply, Box<dyn StdError + Send + Sync>> {
        let proxy = self.proxies.intercept(request.uri());
        let response = match (request.uri().scheme_str(), proxy) {
            (Some("https"), None) => self.secure()?.request(request).await?,
            (Some("https"), Some(proxy)) => {
                let mut tunnel = Tunnel::new(proxy.uri().clone(), connector());
                if let Some(auth) = proxy.basic_auth() {
                    tunnel = tunnel.with_auth(auth.clone());
                }
                let secure = hyper_rustls::HttpsConnectorBuilder::new()
                    .with_tls_config(self.trust.config()?)
                    .https_only()
                    .enable_http1()
                    .wrap_connector(tunnel);
                let pool: Pool<_, Body> = Pool::builder(TokioExecutor::new()).build(secure);
                pool.request(request).await?
            }
            (_, Some(proxy)) => proxy::request(&proxy, request).await?,
            (_, None) => self.plain().request(request).await?,
        };
        let (parts, body) = response.into_parts();
        let body = Limited::new(body, LARGEST).collect().await?.to_bytes();
        Ok(Reply {
            status: parts.status,
            headers: parts.headers,
            body,
        })
    }

    fn plain(&self) -> &Pool<HttpConnector, Body> {
        self.plain
            .get_or_init(|| Pool::builder(TokioExecutor::new()).build(connector()))
    }

    fn secure(&self) -> anyhow::Result<&Pool<HttpsConnector<HttpConnector>, Body>> {
        if let Some(pool) = self.secure.get() {
            return Ok(pool);
        }
        let https = hyper_rustls::HttpsConnectorBuilder::new()
            .with_tls_config(self.trust.config()?)
            .https_only()
            .enable_http1()
            .wrap_connector(connector());
        let pool = Pool::builder(TokioExecutor::new()).build(https);
        Ok(self.secure.get_or_init(|| pool))
    }
}

fn connector() -> HttpConnector {
    let mut connector = HttpConnector::new();
    connector.enforce_http(false);
    connector.set_nodelay(true);
    connector.set_connect_timeout(Some(Duration::from_secs(30)));
    connector
}

fn too_slow(target: &str, limit: Duration) -> Problem {
    Problem::new(
        Exit::Timeout,
        format!("{} did not answer in time", origin(target)),
    )
    .why(format!("no answer within {} s", limit.as_secs()))
    .hint("smctl doctor")
}

fn unreachable(target: &str, error: &(dyn StdError + Send + Sync + 'static)) -> Problem {
    let why = reason(error);
    let hint = if why.contains("certificate") {
        "give the CA with SSL_CERT_FILE, or log in again with --skip-ssl-validation if you trust the network"
    } else {
        "check that the manager runs and the address is right; smctl doctor looks closer"
    };
    Problem::new(
        Exit::Unreachable,
        format!("{} cannot be reached", origin(target)),
    )
    .old(format!("request to {target} failed: {why}"))
    .why(why)
    .hint(hint)
}

/// What the causes say, without the names that libraries give to their own layers.
fn reason(error: &(dyn StdError + 'static)) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut cause = Some(error);
    while let Some(error) = cause {
        let text = error.to_string();
        let layer = text.starts_with("client error (") || text == "tcp connect error";
        if !layer && !words.iter().any(|word| word.contains(&text)) {
            words.push(text);
        }
        cause = error.source();
    }
    if words.is_empty() {
        error.to_string()
    } else {
        words.join(": ")
    }
}

/// Scheme, host and port.
fn origin(target: &str) -> String {
    match target.parse::<http::Uri>() {
        Ok(uri) => format!(
            "{}://{}",
            uri.scheme_str().unwrap_or("http"),
            uri.authority().map_or("", |authority| authority.as_str())
        ),
        Err(_) => target.to_owned(),
    }
}
