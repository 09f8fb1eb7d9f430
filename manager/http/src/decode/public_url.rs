//! Under which address the caller sees this manager: tokens name it, and clients are sent there.

use crate::{App, HttpSettings};
use axum::extract::FromRequestParts;
use http::HeaderMap;
use http::header::HOST;
use http::request::Parts;
use std::convert::Infallible;

/// The address, without a slash at its end.
pub(crate) struct PublicUrl(pub(crate) String);

impl FromRequestParts<App> for PublicUrl {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let authority = parts.uri.authority().map(http::uri::Authority::as_str);
        Ok(Self(public_url(&app.settings, &parts.headers, authority)))
    }
}

fn public_url(settings: &HttpSettings, headers: &HeaderMap, authority: Option<&str>) -> String {
    if let Some(url) = &settings.public_url {
        return url.trim_end_matches('/').to_owned();
    }
    let text = |name: &str| headers.get(name)?.to_str().ok();
    let trusted = |name: &str| text(name).filter(|_| settings.trust_forwarded_for);
    let scheme = match trusted("x-forwarded-proto") {
        Some("https") => "https",
        Some(_) => "http",
        None if settings.tls => "https",
        None => "http",
    };
    let host = trusted("x-forwarded-host")
        .or_else(|| text(HOST.as_str()))
        .or(authority);
    let host = host.filter(|host| is_host(host)).unwrap_or("localhost");
    format!("{scheme}://{host}")
}

/// What can stand in a URL as it is; a caller may send anything.
fn is_host(text: &str) -> bool {
    let fine = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
    !text.is_empty() && text.len() <= 255 && text.chars().all(fine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn url(settings: &HttpSettings, pairs: &[(&'static str, &'static str)]) -> String {
        let pairs = pairs.iter().map(|&(name, value)| {
            let name = http::HeaderName::from_static(name);
            (name, HeaderValue::from_static(value))
        });
        public_url(settings, &pairs.collect(), None)
    }

    #[test]
    fn the_configured_address_counts_before_what_the_caller_says() {
        let settings = HttpSettings {
            public_url: Some("https://sm.example/".to_owned()),
            ..HttpSettings::default()
        };
        assert_eq!(url(&settings, &[("host", "other")]), "https://sm.example");
    }

    #[test]
    fn otherwise_it_is_where_the_caller_came_to() {
        let mut settings = HttpSettings::default();
        let forwarded = [
            ("host", "10.0.0.1:8080"),
            ("x-forwarded-proto", "https"),
            ("x-forwarded-host", "sm.example"),
        ];
        assert_eq!(url(&settings, &forwarded), "http://10.0.0.1:8080");
        settings.trust_forwarded_for = true;
        assert_eq!(url(&settings, &forwarded), "https://sm.example");
        assert_eq!(url(&settings, &[("host", "a/b\"c")]), "http://localhost");
    }
}
