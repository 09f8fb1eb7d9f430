//! Under which address the caller sees this manager, and what tokens that it gets have as their issuer.
//!
//! The rule: clients are sent to where they came to, which only their own `Host` header can say; what it says harms nobody
//! but them, because such an answer is kept nowhere (`Cache-Control: no-store`). The issuer of a token is never taken from
//! it: it is the configured address, or what a trusted proxy says, or our own end of the connection.

use crate::{App, HttpSettings};
use axum::extract::FromRequestParts;
use http::HeaderMap;
use http::header::HOST;
use http::request::Parts;
use std::convert::Infallible;
use std::net::SocketAddr;

/// Our own end of the connection that a request came over. The server puts it into each request.
#[derive(Debug, Clone, Copy)]
pub struct Local(pub SocketAddr);

/// Two addresses, without a slash at their end.
pub(crate) struct PublicUrl {
    /// Where the caller sees this manager.
    pub(crate) seen: String,
    /// What tokens have as `iss`.
    pub(crate) issuer: String,
}

impl FromRequestParts<App> for PublicUrl {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let authority = parts.uri.authority().map(http::uri::Authority::as_str);
        let local = parts.extensions.get::<Local>().map(|Local(local)| *local);
        let (settings, headers) = (&app.settings, &parts.headers);
        Ok(Self {
            seen: seen(settings, headers, authority),
            issuer: issuer(settings, headers, local),
        })
    }
}

fn seen(settings: &HttpSettings, headers: &HeaderMap, authority: Option<&str>) -> String {
    if let Some(url) = &settings.public_url {
        return url.trim_end_matches('/').to_owned();
    }
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let host = forwarded(settings, headers, "x-forwarded-host")
        .or(host)
        .or(authority)
        .filter(|host| is_host(host));
    let scheme = scheme(settings, headers);
    format!("{scheme}://{}", host.unwrap_or("localhost"))
}

fn issuer(settings: &HttpSettings, headers: &HeaderMap, local: Option<SocketAddr>) -> String {
    if let Some(url) = &settings.public_url {
        return url.trim_end_matches('/').to_owned();
    }
    let scheme = scheme(settings, headers);
    if let Some(host) = forwarded(settings, headers, "x-forwarded-host").filter(|it| is_host(it)) {
        return format!("{scheme}://{host}");
    }
    match local {
        // A socket for both families names the older one in the words of the newer.
        Some(local) => format!(
            "{scheme}://{}",
            SocketAddr::new(local.ip().to_canonical(), local.port())
        ),
        None => format!("{scheme}://localhost"),
    }
}

fn scheme(settings: &HttpSettings, headers: &HeaderMap) -> &'static str {
    match forwarded(settings, headers, "x-forwarded-proto") {
        Some("https") => "https",
        Some(_) => "http",
        None if settings.tls => "https",
        None => "http",
    }
}

/// What a proxy says, where one is trusted.
fn forwarded<'h>(settings: &HttpSettings, headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let text = headers.get(name)?.to_str().ok()?;
    settings.trust_forwarded_for.then_some(text)
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

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|&(name, value)| {
            let name = http::HeaderName::from_static(name);
            (name, HeaderValue::from_static(value))
        });
        pairs.collect()
    }

    fn url(settings: &HttpSettings, pairs: &[(&'static str, &'static str)]) -> String {
        seen(settings, &headers(pairs), None)
    }

    const FORWARDED: [(&str, &str); 3] = [
        ("host", "10.0.0.1:8080"),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-host", "sm.example"),
    ];

    fn configured() -> HttpSettings {
        HttpSettings {
            public_url: Some("https://sm.example/".to_owned()),
            ..HttpSettings::default()
        }
    }

    #[test]
    fn the_configured_address_counts_before_what_the_caller_says() {
        assert_eq!(
            url(&configured(), &[("host", "other")]),
            "https://sm.example"
        );
    }

    #[test]
    fn otherwise_it_is_where_the_caller_came_to() {
        let mut settings = HttpSettings::default();
        assert_eq!(url(&settings, &FORWARDED), "http://10.0.0.1:8080");
        settings.trust_forwarded_for = true;
        assert_eq!(url(&settings, &FORWARDED), "https://sm.example");
        assert_eq!(url(&settings, &[("host", "a/b\"c")]), "http://localhost");
    }

    #[test]
    fn nobody_chooses_the_issuer_of_a_token_by_a_header() {
        let of = |settings: &HttpSettings, local: Option<&str>| {
            let local = local.map(|text| text.parse().unwrap());
            issuer(settings, &headers(&FORWARDED), local)
        };
        let mut settings = HttpSettings::default();
        assert_eq!(
            of(&settings, Some("127.0.0.1:8080")),
            "http://127.0.0.1:8080"
        );
        assert_eq!(
            of(&settings, Some("[::ffff:10.1.2.3]:80")),
            "http://10.1.2.3:80"
        );
        assert_eq!(of(&settings, Some("[::1]:80")), "http://[::1]:80");
        assert_eq!(of(&settings, None), "http://localhost");
        assert_eq!(of(&configured(), Some("[::1]:80")), "https://sm.example");
        // Unless a proxy is trusted, which writes the header itself.
        settings.trust_forwarded_for = true;
        assert_eq!(of(&settings, Some("[::1]:80")), "https://sm.example");
    }
}
