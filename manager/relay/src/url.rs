//! Which addresses may be called. Deeds check a broker's at registration, the relay checks all of them again
//! before the first call.
//!
//! The rule: an address that passed has a scheme we speak, a host and nothing that belongs elsewhere: no
//! password, no fragment, no query. So it can be printed. What is wrong with one is told without quoting it,
//! because it may hold a password.

use http::Uri;
use std::net::IpAddr;

/// Checks the address of a broker. The reason reads after the name of the field: `must start with ...`.
///
/// # Errors
/// What to change.
pub fn check_url(text: &str) -> Result<(), String> {
    parse(text, Query::Forbidden).map(drop)
}

/// Whether an address may have a query.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Query {
    /// The way of `/v2/...` is appended.
    Forbidden,
    /// It is called as it is.
    Allowed,
}

pub(crate) fn parse(text: &str, query: Query) -> Result<Uri, String> {
    if text.is_empty() {
        return Err("must not be empty".to_owned());
    }
    if text.contains('#') {
        return Err("must not have a fragment (the part after #)".to_owned());
    }
    if query == Query::Forbidden && text.contains('?') {
        return Err("must not have a query (the part after ?)".to_owned());
    }
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(
            "must consist of printable ASCII characters without spaces; encode all others"
                .to_owned(),
        );
    }
    let uri: Uri = text
        .parse()
        .map_err(|_| "is not a URL; it must look like https://broker.example.com".to_owned())?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) {
        return Err("must start with http:// or https://".to_owned());
    }
    let Some(authority) = uri.authority() else {
        return Err("must name a host".to_owned());
    };
    if authority.as_str().contains('@') {
        return Err(
            "must not have a user or a password in it; they belong into the credentials".to_owned(),
        );
    }
    if authority.host().is_empty() || authority.host() == "[]" {
        return Err("must name a host".to_owned());
    }
    let bare = authority.as_str().len() == authority.host().len();
    if !bare && authority.port_u16().is_none_or(|port| port == 0) {
        return Err("must have a port from 1 to 65535, or none".to_owned());
    }
    Ok(uri)
}

/// Whether it goes without TLS.
pub(crate) fn is_plain(uri: &Uri) -> bool {
    uri.scheme() == Some(&http::uri::Scheme::HTTP)
}

/// Whether it stays on this machine.
pub(crate) fn is_loopback(uri: &Uri) -> bool {
    let host = uri.host().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => bare.eq_ignore_ascii_case("localhost"),
    }
}

/// An address for messages: without its query, which may hold what should not be shown.
pub(crate) fn shown(uri: &Uri) -> String {
    let text = uri.to_string();
    let end = text.find('?').unwrap_or(text.len());
    text[..end].trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_can_be_called() {
        for good in [
            "http://localhost",
            "https://broker.example.com/",
            "https://broker.example.com:8443/osb/v1/",
            "http://127.0.0.1:80/a%20b",
            "http://[::1]:8080",
            "HTTPS://BROKER",
        ] {
            assert_eq!(check_url(good), Ok(()), "{good}");
        }
    }

    #[test]
    fn says_what_is_wrong_and_quotes_nothing() {
        let cases = [
            ("", "empty"),
            ("broker.example.com", "http:// or https://"),
            ("/osb", "http:// or https://"),
            ("ftp://hunter2", "http:// or https://"),
            ("unix:///hunter2", "URL"),
            ("http://", "URL"),
            ("http://:80", "host"),
            ("http://user:hunter2@broker", "user or a password"),
            ("http://hunter2@broker", "user or a password"),
            ("http://broker?a=hunter2", "query"),
            ("http://broker#hunter2", "fragment"),
            ("http://broker:99999", "port"),
            ("http://broker:0", "port"),
            ("http://broker:", "port"),
            ("http://bro ker", "ASCII"),
            ("http://br\u{f6}ker", "ASCII"),
            ("http://broker/\n", "ASCII"),
        ];
        for (bad, wanted) in cases {
            let reason = check_url(bad).unwrap_err();
            assert!(reason.contains(wanted), "{bad}: {reason}");
            assert!(!reason.contains("hunter2"), "{bad}: {reason}");
        }
    }

    #[test]
    fn knows_this_machine() {
        for (text, here) in [
            ("http://127.0.0.1:1", true),
            ("http://127.9.9.9", true),
            ("http://[::1]:1", true),
            ("http://LOCALHOST", true),
            ("http://localhost.example.com", false),
            ("http://10.0.0.1", false),
        ] {
            let uri = parse(text, Query::Forbidden).unwrap();
            assert_eq!(is_loopback(&uri), here, "{text}");
        }
    }

    #[test]
    fn a_query_is_not_shown() {
        let uri = parse("http://h/token?secret=hunter2", Query::Allowed).unwrap();
        assert_eq!(shown(&uri), "http://h/token");
    }
}
