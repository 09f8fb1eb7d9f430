//! What an OIDC issuer publishes: its discovery document and its keys. The identity deeds ask for them when
//! they have none or meet an unknown key, and keep them.
//!
//! The rule: over the network an issuer is asked with TLS only, because whoever can change its keys can be
//! anybody; and a document that names another issuer than was asked for is not taken.

use crate::client::{self, HttpClient};
use crate::exchange::{Limits, exchange};
use crate::url::{self, Query};
use crate::{Relay, RelayError};
use bytes::Bytes;
use http::header::ACCEPT;
use http::{HeaderValue, Request, StatusCode, Uri};
use qm_model::Chain;
use serde::Deserialize;
use serde::de::IgnoredAny;
use tracing::Instrument as _;

/// The largest document of an issuer, in bytes.
const DOCUMENT_LIMIT: usize = 1024 * 1024;
/// Where the discovery document is, below the issuer's URL.
const WELL_KNOWN: &str = "/.well-known/openid-configuration";

/// What is used of a discovery document.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Discovery {
    /// What tokens have in `iss`.
    pub issuer: String,
    /// Where the keys are.
    pub jwks_uri: String,
    /// Where tokens are given out.
    #[serde(default)]
    pub token_endpoint: Option<String>,
}

/// What must be in a key set for it to be one.
#[derive(Deserialize)]
struct KeySet {
    #[serde(rename = "keys")]
    _keys: Vec<IgnoredAny>,
}

impl Relay {
    /// Reads the discovery document of an issuer.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn discover(&self, issuer_url: &str) -> Result<Discovery, RelayError> {
        let trimmed = issuer_url.trim_end_matches('/');
        let mut found = self.document(&format!("{trimmed}{WELL_KNOWN}")).await;
        // The specification trims the slash; some servers and proxies want the plain concatenation.
        if trimmed != issuer_url && matches!(found, Err(RelayError::Refused { .. })) {
            found = self.document(&format!("{issuer_url}{WELL_KNOWN}")).await;
        }
        let discovery: Discovery = read(&found?, "the issuer's discovery document")?;
        if discovery.issuer.trim_end_matches('/') != trimmed {
            return Err(RelayError::undecodable(
                "the discovery document names another issuer than the configured URL; configure \
                 the URL that the issuer calls itself by, letter by letter",
            ));
        }
        self.check(&discovery.jwks_uri, "the jwks_uri of the issuer")?;
        Ok(discovery)
    }

    /// Reads the key set of an issuer, as JSON text.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn keys(&self, jwks_uri: &str) -> Result<String, RelayError> {
        let body = self.document(jwks_uri).await?;
        let _: KeySet = read(&body, "the issuer's key set")?;
        String::from_utf8(body.into())
            .map_err(|_| RelayError::undecodable("the issuer's key set is not UTF-8"))
    }

    async fn document(&self, address: &str) -> Result<Bytes, RelayError> {
        let uri = self.check(address, "the issuer's URL")?;
        let inner = &self.inner;
        let whom = format!("issuer at {}", url::shown(&uri));
        let waiting = inner.issuer_calls.acquire();
        let place = tokio::time::timeout(inner.settings.queue_timeout, waiting).await;
        let Ok(Ok(_place)) = place else {
            return Err(RelayError::Busy {
                message: format!("too many requests to the {whom} are under way; try again later"),
            });
        };
        let client = match url::is_plain(&uri) {
            true => &inner.plain_issuers,
            false => inner.issuers.get_or_try_init(|| self.pool()).await?,
        };
        let mut request = Request::new(Bytes::new());
        *request.uri_mut() = uri;
        request
            .headers_mut()
            .insert(ACCEPT, HeaderValue::from_static("application/json"));
        let limits = Limits::new(&inner.settings, DOCUMENT_LIMIT);
        let span = tracing::info_span!("issuer.call", otel.kind = "client");
        let asking = exchange(client, request, &whom, &limits).instrument(span);
        let answer = asking.await.inspect_err(|error| {
            tracing::warn!(error = %Chain(error), "a request to an issuer failed");
        })?;
        match answer.status() {
            StatusCode::OK => Ok(answer.into_body()),
            status => Err(RelayError::Refused {
                code: status.as_u16(),
                message: format!(
                    "the {whom} answered {} instead of a document; check the issuer's URL (redirects \
                     are not followed)",
                    status.as_u16()
                ),
            }),
        }
    }

    async fn pool(&self) -> Result<HttpClient, RelayError> {
        let config = self.inner.trust.config(None).await?;
        Ok(client::new(&self.inner.settings, Some(config)))
    }

    fn check(&self, address: &str, what: &str) -> Result<Uri, RelayError> {
        let uri = url::parse(address, Query::Allowed)
            .map_err(|reason| RelayError::invalid(format!("{what} {reason}")))?;
        let plain = url::is_plain(&uri) && !url::is_loopback(&uri);
        if plain && !self.inner.settings.issuer_plain_http {
            return Err(RelayError::invalid(format!(
                "{what} must start with https://; without TLS anybody on the way could make tokens"
            )));
        }
        Ok(uri)
    }
}

fn read<T: serde::de::DeserializeOwned>(body: &[u8], what: &str) -> Result<T, RelayError> {
    quartermaster_osb::json::read(body)
        .map_err(|fault| RelayError::undecodable(format!("{what} cannot be read: {fault}")))
}
