//! From route, query, headers and body to a [`Call`].
//!
//! Brokers call it after authentication. The rule: what it refuses is a 400, and its message says what to
//! change without a word of what was sent.

use super::{Call, Route, query};
use crate::{
    BindingId, InstanceId, Verb,
    json::{self, Fault},
};
use http::{
    HeaderMap,
    header::{CONTENT_TYPE, IF_NONE_MATCH},
};
use serde::{Deserialize, de::IgnoredAny};

/// A request that the protocol answers with 400.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRequest {
    /// The body says it is something else than JSON.
    #[error("the Content-Type must be application/json")]
    ContentType,
    /// The body is not the message.
    #[error("the body is not the message that this call needs")]
    Body(#[source] Fault),
    /// A query parameter cannot be understood.
    #[error("{key} in the query {problem}")]
    Query {
        /// Its name.
        key: &'static str,
        /// What it must be.
        problem: &'static str,
    },
    /// A route made by hand lacks an id that its verb needs.
    #[error("the path lacks {0}")]
    Path(&'static str),
}

impl BadRequest {
    /// For people: the place and what to change, never a value that was sent.
    pub fn message(&self) -> String {
        match self {
            Self::Body(fault) => fault.to_string(),
            other => other.to_string(),
        }
    }
}

impl From<Fault> for BadRequest {
    fn from(fault: Fault) -> Self {
        Self::Body(fault)
    }
}

/// Decodes the rest of a request that [`Route::of`] has routed.
pub fn decode(
    route: Route,
    query: Option<&str>,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<Call, BadRequest> {
    let Route {
        verb,
        instance,
        binding,
    } = route;
    let instance = || instance.ok_or(BadRequest::Path(InstanceId::LABEL));
    let binding = || binding.ok_or(BadRequest::Path(BindingId::LABEL));
    Ok(match verb {
        Verb::Catalog => Call::Catalog {
            if_none_match: if_none_match(headers),
        },
        Verb::Provision => Call::Provision {
            instance: instance()?,
            accepts_incomplete: query::accepts_incomplete(query)?,
            body: Box::new(json::read(json_body(headers, body)?)?),
        },
        Verb::FetchInstance => Call::FetchInstance {
            instance: instance()?,
            hints: query::hints(query)?,
        },
        Verb::Update => Call::Update {
            instance: instance()?,
            accepts_incomplete: query::accepts_incomplete(query)?,
            body: Box::new(json::read(json_body(headers, body)?)?),
        },
        Verb::Deprovision => Call::Deprovision {
            instance: instance()?,
            accepts_incomplete: query::accepts_incomplete(query)?,
            hints: query::hints(query)?,
        },
        Verb::PollInstance => Call::PollInstance {
            instance: instance()?,
            poll: query::poll(query)?,
        },
        Verb::Bind => {
            let instance = instance()?;
            let binding = binding()?;
            let accepts_incomplete = query::accepts_incomplete(query)?;
            let body = json_body(headers, body)?;
            if rotates(body)? {
                Call::Rotate {
                    instance,
                    binding,
                    accepts_incomplete,
                    body: Box::new(json::read(body)?),
                }
            } else {
                Call::Bind {
                    instance,
                    binding,
                    accepts_incomplete,
                    body: Box::new(json::read(body)?),
                }
            }
        }
        Verb::FetchBinding => Call::FetchBinding {
            instance: instance()?,
            binding: binding()?,
            hints: query::hints(query)?,
        },
        Verb::Unbind => Call::Unbind {
            instance: instance()?,
            binding: binding()?,
            accepts_incomplete: query::accepts_incomplete(query)?,
            hints: query::hints(query)?,
        },
        Verb::PollBinding => Call::PollBinding {
            instance: instance()?,
            binding: binding()?,
            poll: query::poll(query)?,
        },
    })
}

fn if_none_match(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(IF_NONE_MATCH)?.to_str().ok()?.trim();
    (!value.is_empty()).then(|| value.to_owned())
}

/// Whether a bind body names a predecessor. One cheap pass: bodies are small and nothing is allocated.
fn rotates(body: &[u8]) -> Result<bool, Fault> {
    #[derive(Deserialize)]
    struct Peek {
        #[serde(default)]
        predecessor_binding_id: Option<IgnoredAny>,
    }
    Ok(json::read::<Peek>(body)?.predecessor_binding_id.is_some())
}

/// The body, unless its type says that it is not JSON. Without a type it is read all the same (B6).
fn json_body<'a>(headers: &HeaderMap, body: &'a [u8]) -> Result<&'a [u8], BadRequest> {
    let Some(value) = headers.get(CONTENT_TYPE) else {
        return Ok(body);
    };
    let value = value.to_str().map_err(|_| BadRequest::ContentType)?;
    let essence = value.split(';').next().unwrap_or_default().trim();
    let suffix = essence.len().checked_sub("+json".len());
    let structured = suffix
        .and_then(|at| essence.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case("+json"));
    if structured || essence.eq_ignore_ascii_case("application/json") {
        Ok(body)
    } else {
        Err(BadRequest::ContentType)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{HeaderValue, Method};

    fn put(path: &str, body: &str) -> Result<Call, String> {
        let route = Route::of(&Method::PUT, path).unwrap();
        decode(route, None, &HeaderMap::new(), body.as_bytes()).map_err(|bad| bad.message())
    }

    const BINDING: &str = "/v2/service_instances/i/service_bindings/b";

    #[test]
    fn a_predecessor_makes_a_rotation() {
        let rotation = put(BINDING, r#"{"predecessor_binding_id":"a"}"#);
        assert!(matches!(rotation, Ok(Call::Rotate { .. })), "{rotation:?}");
        let escaped = put(BINDING, r#"{"predecessor\u005fbinding_id":"a"}"#);
        assert!(matches!(escaped, Ok(Call::Rotate { .. })), "{escaped:?}");
        let null = put(
            BINDING,
            r#"{"predecessor_binding_id":null,"service_id":"s","plan_id":"p"}"#,
        );
        assert!(matches!(null, Ok(Call::Bind { .. })), "{null:?}");
        let cases = [
            (
                r#"{"predecessor_binding_id":""}"#,
                "predecessor_binding_id: must be a non-empty string",
            ),
            (
                r#"{"predecessor_binding_id":5}"#,
                "predecessor_binding_id: must be a string",
            ),
            (
                r#"{"predecessor_binding_id":"a","predecessor_binding_id":"b"}"#,
                "predecessor_binding_id: must be given once",
            ),
            ("{}", "service_id: is required"),
            ("[]", "the body must be a JSON object"),
            ("5", "the body must be a JSON object"),
        ];
        for (body, wanted) in cases {
            assert_eq!(put(BINDING, body), Err(wanted.to_owned()), "{body}");
        }
    }

    #[test]
    fn the_content_type_must_be_json_when_there_is_one() {
        let body = br#"{"service_id":"s","plan_id":"p","organization_guid":"o","space_guid":"s"}"#;
        let with = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(value));
            let route = Route::of(&Method::PUT, "/v2/service_instances/i").unwrap();
            decode(route, None, &headers, body).is_ok()
        };
        for good in [
            "application/json",
            "Application/JSON; charset=utf-8",
            "application/json ;x=y",
            "application/vnd.example+json",
        ] {
            assert!(with(good), "{good}");
        }
        for bad in [
            "text/plain",
            "",
            "json",
            "application/x-www-form-urlencoded",
            "application/jsonx",
        ] {
            assert!(!with(bad), "{bad}");
        }
    }

    #[test]
    fn a_body_where_none_belongs_is_ignored() {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        let route = Route::of(&Method::DELETE, "/v2/service_instances/i").unwrap();
        assert!(decode(route, Some("service_id=a&plan_id=b"), &headers, b"hello").is_ok());
    }

    #[test]
    fn a_route_without_its_id_is_refused() {
        let route = Route {
            verb: Verb::FetchBinding,
            instance: Some(InstanceId::new("i").unwrap()),
            binding: None,
        };
        let refused = decode(route, None, &HeaderMap::new(), b"");
        assert_eq!(refused, Err(BadRequest::Path("binding_id")));
    }
}
