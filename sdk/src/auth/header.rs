//! Reading `Authorization` and writing `WWW-Authenticate`.
//!
//! Used by the schemes that live in those headers. The rule: what is ambiguous (two headers, bytes
//! that are no text) is refused, never guessed.

use super::Denied;
use http::HeaderValue;
use http::header::AUTHORIZATION;
use http::request::Parts;

/// The value that follows the scheme, when the request uses this scheme.
///
/// The scheme is compared without case, as the standard wants; any number of blanks may follow it.
pub(super) fn credentials<'a>(request: &'a Parts, scheme: &str) -> Result<&'a str, Denied> {
    let mut values = request.headers.get_all(AUTHORIZATION).iter();
    let value = values
        .next()
        .ok_or_else(|| Denied::new(format!("send an Authorization header with {scheme}")))?;
    if values.next().is_some() {
        return Err(Denied::new("send one Authorization header, not several"));
    }
    let value = value
        .to_str()
        .map_err(|_| Denied::new("the Authorization header must be plain ASCII"))?
        .trim();
    let (given, rest) = value.split_once([' ', '\t']).unwrap_or((value, ""));
    if !given.eq_ignore_ascii_case(scheme) {
        return Err(Denied::new(format!(
            "send an Authorization header with {scheme}"
        )));
    }
    let rest = rest.trim_start();
    if rest.is_empty() {
        return Err(Denied::new(format!(
            "the Authorization header has nothing after {scheme}"
        )));
    }
    Ok(rest)
}

/// A challenge `scheme realm="..."`, with more parameters after it.
///
/// A realm is a label for people; what cannot stand in a quoted string is left out.
pub(super) fn challenge(scheme: &str, realm: &str, more: &str) -> Option<HeaderValue> {
    let realm: String = realm
        .chars()
        .filter(|c| (' '..='~').contains(c) && !matches!(c, '"' | '\\'))
        .collect();
    HeaderValue::from_str(&format!("{scheme} realm=\"{realm}\"{more}")).ok()
}
