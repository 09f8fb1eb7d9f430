//! Which broker is judged and how it is spoken to.
//!
//! Made by `smctl verify` and by tests. The rule: credentials live in `Secret`, so no error and no
//! report can print them.

use crate::{Duration, Secret};
use http::Uri;

/// The broker under test.
#[derive(Debug, Clone)]
pub struct Target {
    /// Where it is: scheme, authority and path prefix, without a slash at the end.
    pub url: String,
    /// How it knows us.
    pub auth: Auth,
    /// Sent as `X-Broker-API-Version`.
    pub api_version: ApiVersion,
    /// Only looked at for `https`.
    pub tls: Tls,
    /// How long one answer may take.
    pub timeout: Duration,
}

/// Credentials for the broker.
#[derive(Debug, Clone)]
pub enum Auth {
    /// The broker asks for none.
    None,
    /// HTTP basic.
    Basic {
        /// The user.
        user: String,
        /// The password.
        password: Secret<String>,
    },
    /// An opaque bearer token.
    Bearer(Secret<String>),
}

/// Whom to trust.
#[derive(Debug, Clone, Default)]
pub struct Tls {
    /// PEM certificates to trust in place of the machine's.
    pub ca_pem: Option<Vec<u8>>,
    /// Trust anybody.
    pub insecure: bool,
}

/// A version of the protocol. The major number is always two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ApiVersion {
    /// The number after the dot.
    pub minor: u16,
}

impl ApiVersion {
    /// The newest version there is.
    pub const LATEST: Self = Self { minor: 17 };
}

impl std::fmt::Display for ApiVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "2.{}", self.minor)
    }
}

impl std::str::FromStr for ApiVersion {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        text.strip_prefix("2.")
            .and_then(|minor| minor.parse().ok())
            .filter(|minor| (11..=17).contains(minor))
            .map(|minor| Self { minor })
            .ok_or_else(|| TargetError::Version(text.to_owned()))
    }
}

/// The target makes no sense. The caller changes what was typed.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// Not a URL.
    #[error("{0:?} is not a URL")]
    NotAUrl(String),
    /// No `http://` or `https://`.
    #[error("{0:?} lacks http:// or https:// at its start")]
    Scheme(String),
    /// A user and password inside the URL.
    #[error("credentials do not belong in the URL; give them as user and password")]
    Userinfo,
    /// A query or fragment in the URL.
    #[error("a broker URL has no query: {0:?}")]
    Query(String),
    /// Not a version the suite speaks.
    #[error("{0:?} is not an API version between 2.11 and 2.17")]
    Version(String),
}

impl Target {
    /// A target with the newest version and no credentials.
    pub fn new(url: &str) -> Result<Self, TargetError> {
        if !url.contains("://") {
            return Err(TargetError::Scheme(url.to_owned()));
        }
        let uri: Uri = url
            .parse()
            .map_err(|_| TargetError::NotAUrl(url.to_owned()))?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err(TargetError::Scheme(url.to_owned()));
        }
        let authority = uri
            .authority()
            .ok_or_else(|| TargetError::NotAUrl(url.to_owned()))?;
        if authority.as_str().contains('@') {
            return Err(TargetError::Userinfo);
        }
        if uri.query().is_some() || url.contains('#') {
            return Err(TargetError::Query(url.to_owned()));
        }
        Ok(Self {
            url: url.trim_end_matches('/').to_owned(),
            auth: Auth::None,
            api_version: ApiVersion::LATEST,
            tls: Tls::default(),
            timeout: Duration::from_secs(30),
        })
    }

    /// The same target with other credentials.
    #[must_use]
    pub fn with_auth(mut self, auth: Auth) -> Self {
        self.auth = auth;
        self
    }

    /// The same target with HTTP basic credentials.
    #[must_use]
    pub fn with_basic(self, user: impl Into<String>, password: impl Into<String>) -> Self {
        self.with_auth(Auth::Basic {
            user: user.into(),
            password: Secret::new(password.into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_prefix_and_drops_the_last_slash() {
        assert_eq!(
            Target::new("http://h:1/a/b/").unwrap().url,
            "http://h:1/a/b"
        );
    }

    #[test]
    fn refuses_what_cannot_be_called() {
        assert!(matches!(
            Target::new("localhost:80"),
            Err(TargetError::Scheme(_))
        ));
        assert!(matches!(
            Target::new("ftp://h"),
            Err(TargetError::Scheme(_))
        ));
        assert!(matches!(
            Target::new("http://u:p@h"),
            Err(TargetError::Userinfo)
        ));
        assert!(matches!(
            Target::new("http://h?x=1"),
            Err(TargetError::Query(_))
        ));
        assert!("2.18".parse::<ApiVersion>().is_err());
        assert_eq!("2.13".parse::<ApiVersion>().unwrap().minor, 13);
    }
}
