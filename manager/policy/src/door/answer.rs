//! How a broker's answer goes back to the platform. The engine calls it with what the relay brought.
//!
//! The rule: the status is the broker's, always. The body of a success goes back byte by byte when it is JSON; of
//! anything else only a description, so that a platform which expects an object gets one. What is no JSON is not
//! repeated from a success, which may hold credentials, and repeated in short from a failure.

use super::Object;
use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use serde::de::IgnoredAny;
use serde_json::Value;

/// Characters of a text that is no answer, before it is cut.
const MAX_QUOTE: usize = 1_000;

/// Of one connection or of the broker's own origin: the platform speaks to neither.
const NOT_PASSED: [HeaderName; 12] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    header::PROXY_AUTHENTICATE,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    // The server writes it for the body that really goes out.
    header::CONTENT_LENGTH,
    header::SET_COOKIE,
    header::ALT_SVC,
    header::STRICT_TRANSPORT_SECURITY,
];

/// The platform's answer, made of the broker's.
pub fn answer(broker_name: &str, response: Response<Bytes>) -> Response<Bytes> {
    let (mut parts, body) = response.into_parts();
    clean(&mut parts.headers);
    if bodiless(parts.status) {
        return Response::from_parts(parts, Bytes::new());
    }
    let json = HeaderValue::from_static("application/json");
    let body = match check(&body) {
        Ok(()) if is_success(parts.status) => {
            parts.headers.entry(header::CONTENT_TYPE).or_insert(json);
            return Response::from_parts(parts, body);
        }
        Ok(()) => failed(broker_name, &body),
        Err(problem) => invalid(broker_name, parts.status, &body, &problem),
    };
    parts.headers.insert(header::CONTENT_TYPE, json);
    // It named the broker's own bytes.
    parts.headers.remove(header::ETAG);
    parts.headers.remove(header::CONTENT_ENCODING);
    Response::from_parts(parts, body)
}

fn is_success(status: StatusCode) -> bool {
    status < StatusCode::BAD_REQUEST
}

/// These bear no body, so none is missing.
fn bodiless(status: StatusCode) -> bool {
    status.is_informational()
        || status == StatusCode::NO_CONTENT
        || status == StatusCode::NOT_MODIFIED
}

fn clean(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named.iter().chain(&NOT_PASSED) {
        headers.remove(name);
    }
}

/// Whether the bytes are JSON; why not, in words that hold nothing of them.
fn check(body: &[u8]) -> Result<(), String> {
    if body.trim_ascii().is_empty() {
        return Err("the body is empty".to_owned());
    }
    // Skipping a value does not look at its characters.
    let text = std::str::from_utf8(body).map_err(|_| "the body is not UTF-8".to_owned())?;
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(IgnoredAny) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// The broker said no, in JSON.
fn failed(broker_name: &str, body: &[u8]) -> Bytes {
    let mut object = match serde_json::from_slice(body) {
        Ok(Value::Object(object)) => object,
        _ => Object::new(),
    };
    let own = object.get("description").and_then(Value::as_str);
    let own = own.filter(|own| !own.is_empty());
    let words = own.map_or_else(|| quote(body), str::to_owned);
    let description = format!("Service broker {broker_name} failed with: {words}");
    object.insert("description".to_owned(), Value::String(description));
    written(object)
}

fn invalid(broker_name: &str, status: StatusCode, body: &[u8], problem: &str) -> Bytes {
    let text = quote(body);
    let words = if is_success(status) || text.is_empty() {
        problem
    } else {
        &text
    };
    let description = format!("Service broker {broker_name} responded with invalid JSON: {words}");
    let fields = [("description".to_owned(), Value::String(description))];
    written(fields.into_iter().collect())
}

fn quote(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let text = text.trim();
    match text.char_indices().nth(MAX_QUOTE) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

fn written(object: Object) -> Bytes {
    Bytes::from(Value::Object(object).to_string())
}
