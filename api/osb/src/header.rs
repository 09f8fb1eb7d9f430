//! The headers of the protocol: their names, and how to read and write them.
//!
//! Brokers read them with the functions here; platforms put an [`Envelope`] around each call. The rule:
//! names are written once, in lower case, because that is what `http` compares.

mod identity;
mod version;

pub use identity::{BadIdentity, OriginatingIdentity};
pub use version::{ApiVersion, BadVersion};

use http::{HeaderMap, HeaderName, HeaderValue};

/// The version a platform speaks; on every request.
pub const API_VERSION: HeaderName = HeaderName::from_static("x-broker-api-version");
/// Who caused the request.
pub const ORIGINATING_IDENTITY: HeaderName =
    HeaderName::from_static("x-broker-api-originating-identity");
/// Names one request; a broker echoes it (B4).
pub const REQUEST_IDENTITY: HeaderName = HeaderName::from_static("x-broker-api-request-identity");
/// Where a Cloud Foundry platform has its own API.
pub const API_INFO_LOCATION: HeaderName = HeaderName::from_static("x-api-info-location");
/// Names one deed across many requests and programs; not part of the protocol, widely sent.
pub const CORRELATION_ID: HeaderName = HeaderName::from_static("x-correlation-id");

/// What a platform puts around a call. Authorisation is not here: whoever sends the request adds it.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    /// What the platform speaks.
    pub api_version: ApiVersion,
    /// Who caused the call, where a person did.
    pub originating_identity: Option<OriginatingIdentity>,
    /// Names the request.
    pub request_identity: Option<String>,
    /// Any further headers, as they are.
    pub headers: HeaderMap,
}

impl Default for Envelope {
    fn default() -> Self {
        Self {
            api_version: ApiVersion::CURRENT,
            originating_identity: None,
            request_identity: None,
            headers: HeaderMap::new(),
        }
    }
}

/// The platform's version; `None` when the header is missing.
pub fn api_version(headers: &HeaderMap) -> Result<Option<ApiVersion>, BadVersion> {
    let Some(value) = headers.get(API_VERSION) else {
        return Ok(None);
    };
    value.to_str().map_err(|_| BadVersion)?.parse().map(Some)
}

/// Who caused the request; `None` when the header is missing.
pub fn originating_identity(
    headers: &HeaderMap,
) -> Result<Option<OriginatingIdentity>, BadIdentity> {
    let Some(value) = headers.get(ORIGINATING_IDENTITY) else {
        return Ok(None);
    };
    value
        .to_str()
        .map_err(|_| BadIdentity::NotText)?
        .parse()
        .map(Some)
}

/// The request's own name, ready to be echoed. An empty one is none.
pub fn request_identity(headers: &HeaderMap) -> Option<&HeaderValue> {
    headers
        .get(REQUEST_IDENTITY)
        .filter(|value| !value.is_empty())
}
