//! Which headers go on to the broker, and which come back.
//!
//! The rule: what is about one connection, or about logging in at the manager, stays here. Everything else
//! that the platform sent means something to the broker, known to us or not.

use crate::RelayError;
use http::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, Entry, SET_COOKIE};
use http::{HeaderMap, HeaderName, HeaderValue};
use quartermaster_osb::header::{API_VERSION, CORRELATION_ID, REQUEST_IDENTITY};

/// What is sent when the platform does not say which version it speaks.
const VERSION: HeaderValue = HeaderValue::from_static("2.17");

/// About one connection (RFC 9110, 7.6.1), and what has the same effect.
const HOP: [HeaderName; 8] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-authenticate"),
    HeaderName::from_static("proxy-connection"),
    http::header::TE,
    http::header::TRAILER,
    http::header::TRANSFER_ENCODING,
    http::header::UPGRADE,
];

/// The headers for the broker.
pub(super) fn onward(
    sent: HeaderMap,
    identity: &str,
    no_body: bool,
) -> Result<HeaderMap, RelayError> {
    let identity = HeaderValue::from_str(identity)
        .map_err(|_| RelayError::invalid("the request's identity cannot stand in a header"))?;
    let named = named(&sent);
    let mut headers = HeaderMap::with_capacity(sent.keys_len() + 3);
    let mut last = None;
    for (name, value) in sent {
        // Of a header with several values only the first comes with its name.
        if let Some(name) = name {
            let passes = goes_on(name.as_str())
                && !(no_body && name == CONTENT_TYPE)
                && !named
                    .iter()
                    .any(|one| one.eq_ignore_ascii_case(name.as_str()));
            last = passes.then_some(name);
        }
        if let Some(name) = &last {
            headers.append(name, value);
        }
    }
    headers.insert(REQUEST_IDENTITY, identity.clone());
    headers.insert(CORRELATION_ID, identity);
    if let Entry::Vacant(free) = headers.entry(API_VERSION) {
        free.insert(VERSION);
    }
    Ok(headers)
}

/// Takes out of an answer what is about our connection to the broker. The body may be written anew, so its
/// length is not told; cookies of a broker are nothing for its platforms.
pub(super) fn homeward(headers: &mut HeaderMap) {
    for name in named(headers) {
        headers.remove(name);
    }
    for name in &HOP {
        headers.remove(name);
    }
    headers.remove(CONTENT_LENGTH);
    headers.remove(SET_COOKIE);
}

/// The headers that `Connection` says are for this connection only.
fn named(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(CONNECTION).into_iter();
    let words = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim);
    words
        .filter(|word| {
            // What nearly every client says, and what is taken out in any case.
            !word.is_empty()
                && !word.eq_ignore_ascii_case("keep-alive")
                && !word.eq_ignore_ascii_case("close")
        })
        .map(str::to_owned)
        .collect()
}

/// Whether a header, by its name in lower case, is for the broker.
fn goes_on(name: &str) -> bool {
    let ours = matches!(
        name,
        "accept-encoding"
            | "authorization"
            | "connection"
            | "content-length"
            | "cookie"
            | "expect"
            | "forwarded"
            | "host"
            | "keep-alive"
            | "te"
            | "trailer"
            | "transfer-encoding"
            | "upgrade"
            | "via"
            | "x-real-ip"
    );
    !ours && !name.starts_with("proxy-") && !name.starts_with("x-forwarded-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn what_is_ours_stays_here() {
        let sent = map(&[
            ("accept", "application/json"),
            ("accept-encoding", "gzip"),
            ("authorization", "Basic hunter2"),
            ("connection", "close, X-Secret-Hop"),
            ("content-length", "2"),
            ("content-type", "application/json"),
            ("cookie", "hunter2"),
            ("expect", "100-continue"),
            ("forwarded", "for=x"),
            ("host", "manager"),
            ("proxy-authorization", "hunter2"),
            ("proxy-anything", "hunter2"),
            ("te", "trailers"),
            ("transfer-encoding", "chunked"),
            ("upgrade", "websocket"),
            ("x-broker-api-originating-identity", "cf e30="),
            ("x-broker-api-request-identity", "theirs"),
            ("x-broker-api-version", "2.13"),
            ("x-correlation-id", "theirs"),
            ("x-forwarded-for", "1.2.3.4"),
            ("x-secret-hop", "hunter2"),
            ("x-vendor", "one"),
            ("x-vendor", "two"),
        ]);
        let got = onward(sent, "ours", false).unwrap();
        let wanted = map(&[
            ("accept", "application/json"),
            ("content-type", "application/json"),
            ("x-broker-api-originating-identity", "cf e30="),
            ("x-broker-api-request-identity", "ours"),
            ("x-broker-api-version", "2.13"),
            ("x-correlation-id", "ours"),
            ("x-vendor", "one"),
            ("x-vendor", "two"),
        ]);
        assert_eq!(got, wanted);
    }

    #[test]
    fn a_version_is_always_told() {
        let got = onward(HeaderMap::new(), "ours", true).unwrap();
        assert_eq!(got[API_VERSION], "2.17");
        assert!(onward(HeaderMap::new(), "a\nb", true).is_err());
    }

    #[test]
    fn an_answer_says_nothing_about_our_connection() {
        let mut answer = map(&[
            ("connection", "X-Hop"),
            ("content-length", "7"),
            ("content-type", "application/json"),
            ("keep-alive", "timeout=5"),
            ("retry-after", "3"),
            ("set-cookie", "a=b"),
            ("transfer-encoding", "chunked"),
            ("x-hop", "1"),
        ]);
        homeward(&mut answer);
        let wanted = map(&[("content-type", "application/json"), ("retry-after", "3")]);
        assert_eq!(answer, wanted);
    }
}
