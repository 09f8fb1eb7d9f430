//! How a change of an instance or a binding is asked for: whether the caller waits, and on whose behalf it comes.
//!
//! The rule: `X-Originating-Identity` is the raw JSON object of a Kubernetes user (not the form of OSB). It goes to the
//! broker, so anything else is refused and not guessed at.

use super::Params;
use crate::{App, Failure};
use axum::extract::FromRequestParts;
use http::HeaderMap;
use http::request::Parts;
use qm_lifecycle::How;
use qm_manager_api::header::ORIGINATING_IDENTITY;
use serde_json::Value;

/// How a change is asked for.
pub(crate) struct Asked(pub(crate) How);

impl FromRequestParts<App> for Asked {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Failure> {
        let params = Params::read(parts.uri.query().unwrap_or_default())?;
        Ok(Self(How {
            mode: params.mode(),
            identity: identity(&parts.headers)?,
        }))
    }
}

/// Who asked the caller.
fn identity(headers: &HeaderMap) -> Result<Option<Value>, Failure> {
    let mut sent = headers.get_all(ORIGINATING_IDENTITY).iter();
    let Some(value) = sent.next() else {
        return Ok(None);
    };
    if sent.next().is_some() {
        return Err(Failure::bad_request("X-Originating-Identity: came twice"));
    }
    match super::object::read(value.as_bytes()) {
        Ok(object) => Ok(Some(Value::Object(object))),
        Err(_) => Err(Failure::bad_request(
            "X-Originating-Identity: must be a JSON object, as in {\"username\":\"ada\"}",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;
    use serde_json::json;

    fn read(values: &[&str]) -> Result<Option<Value>, u16> {
        let mut headers = HeaderMap::new();
        for value in values {
            let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
            headers.append(ORIGINATING_IDENTITY, value);
        }
        identity(&headers).map_err(|failure| failure.status.as_u16())
    }

    #[test]
    fn a_json_object_is_taken_as_it_is() {
        assert_eq!(read(&[]), Ok(None));
        let user = r#"{"username":"jürgen","uid":"1","groups":["a"],"extra":{"b":["c"]}}"#;
        let wanted =
            json!({"username": "jürgen", "uid": "1", "groups": ["a"], "extra": {"b": ["c"]}});
        assert_eq!(read(&[user]), Ok(Some(wanted)));
    }

    #[test]
    fn anything_else_is_refused() {
        let osb = "kubernetes eyJ1c2VybmFtZSI6ImFkYSJ9";
        for value in [
            "",
            osb,
            "ada",
            "\"ada\"",
            "[]",
            "null",
            "{",
            r#"{"a":1,"a":2}"#,
            "{} {}",
        ] {
            assert_eq!(read(&[value]), Err(400), "{value}");
        }
        assert_eq!(read(&["{}", "{}"]), Err(400));
    }
}
