//! Replies of the OSB doors. A reply was made by the broker or in its words; here it only gets its frame.

use axum::body::Body;
use axum::response::Response;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use qm_lifecycle::door::{Catalog, Reply};

/// A reply as it is.
pub(crate) fn reply(reply: Reply) -> Response {
    reply.map(Body::from)
}

/// The catalog, or 304 for a platform that has it.
pub(crate) fn catalog(asked: &HeaderMap, catalog: &Catalog) -> Response {
    let mut response = if has(asked, &catalog.etag) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        let mut response = Response::new(Body::from(catalog.bytes.clone()));
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        response
    };
    let headers = response.headers_mut();
    if let Ok(etag) = HeaderValue::from_str(&catalog.etag) {
        headers.insert(header::ETAG, etag);
    }
    // It may hold the secret of a dashboard's client: for the platform alone, and to be asked for again each time.
    let private = HeaderValue::from_static("private, no-cache");
    headers.insert(header::CACHE_CONTROL, private);
    response
}

/// Whether the caller has what bears this tag. Compared weakly, as RFC 9110 wants of `If-None-Match`.
fn has(asked: &HeaderMap, etag: &str) -> bool {
    let values = asked.get_all(header::IF_NONE_MATCH).iter();
    let mut tags = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim);
    tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_known_in_every_form() {
        let cases = [
            (&[][..], false),
            (&["\"b\""], false),
            (&["\"a\""], true),
            (&["W/\"a\""], true),
            (&["\"b\", \"a\""], true),
            (&["\"b\"", "\"a\""], true),
            (&["*"], true),
            (&["a"], false),
        ];
        for (values, wanted) in cases {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::IF_NONE_MATCH, HeaderValue::from_static(value));
            }
            assert_eq!(has(&headers, "\"a\""), wanted, "{values:?}");
        }
    }
}
