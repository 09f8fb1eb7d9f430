//! What a platform asks at an OSB door: the ids in the path, the few parameters that the manager must know, the body
//! read once, and all of it again as it came, for the broker.
//!
//! The rule: what the manager does not need it does not judge; the broker does. Only a body that could be read in two
//! ways is refused, because the manager and the broker must read the same.

use super::{body, object};
use crate::osb;
use crate::{App, Failure};
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use bytes::Bytes;
use http::{Method, Uri};
use percent_encoding::percent_decode_str;
use qm_lifecycle::door::{Asked, Passed, Query};
use qm_model::Secret;
use quartermaster_osb::Object;

/// What was asked.
pub(crate) struct Knock(pub(crate) Asked);

impl FromRequest<App> for Knock {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let (mut parts, body) = request.into_parts();
        let ids = RawPathParams::from_request_parts(&mut parts, app).await;
        let ids = ids.map_err(|_| Failure::bad_request("the path of the URL is not UTF-8"))?;
        let id = |wanted: &str| {
            let mut ids = ids.iter();
            let found = ids.find_map(|(name, value)| (name == wanted).then_some(value));
            found.unwrap_or_default().to_owned()
        };
        let (broker, instance, binding) = (id("broker_id"), id("instance_id"), id("binding_id"));
        let query = query(parts.uri.query().unwrap_or_default())?;
        let (bytes, object) = if has_body(&parts.method) {
            let bytes = body::whole(body, app.settings.max_body_bytes).await?;
            let object = object::read(&bytes)?;
            (bytes, object)
        } else {
            (Bytes::new(), Object::new())
        };
        Ok(Self(Asked {
            broker,
            instance,
            binding,
            query,
            body: Secret::new(object),
            passed: Passed {
                path_and_query: onward(&parts.uri).to_owned(),
                headers: parts.headers,
                body: bytes,
            },
        }))
    }
}

/// A body of GET or DELETE means nothing in OSB: it is neither read nor passed on.
fn has_body(method: &Method) -> bool {
    matches!(*method, Method::PUT | Method::PATCH | Method::POST)
}

/// What the broker is asked for: `/v2/...` with its query, as it was sent.
fn onward(uri: &Uri) -> &str {
    let whole = uri.path_and_query().map_or("", |whole| whole.as_str());
    osb::split(whole).map_or(whole, |(_, rest)| rest)
}

/// Of a parameter that comes twice the first with a value counts; an empty one is none. A platform that writes
/// anything but `true` for `accepts_incomplete` cannot take 202, whatever the broker makes of it.
fn query(text: &str) -> Result<Query, Failure> {
    let mut query = Query::default();
    for pair in text.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let slot = match name {
            "service_id" => &mut query.service_id,
            "plan_id" => &mut query.plan_id,
            "operation" => &mut query.operation,
            "accepts_incomplete" => {
                query.accepts_incomplete |= value.eq_ignore_ascii_case("true");
                continue;
            }
            _ => continue,
        };
        if slot.is_none() && !value.is_empty() {
            *slot = Some(decoded(value)?);
        }
    }
    Ok(query)
}

fn decoded(text: &str) -> Result<String, Failure> {
    let spaced = text.replace('+', " ");
    match percent_decode_str(&spaced).decode_utf8() {
        Ok(text) => Ok(text.into_owned()),
        Err(_) => Err(Failure::bad_request("the query of the URL is not UTF-8")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_broker_is_asked_for_what_was_sent() {
        let cases = [
            ("/v1/osb/b/v2/catalog", "/v2/catalog"),
            (
                "/v1/osb/b%20c/v2/service_instances/a%2Fb?x=%2F&y",
                "/v2/service_instances/a%2Fb?x=%2F&y",
            ),
            ("http://host/v1/osb/b/v2/x", "/v2/x"),
        ];
        for (uri, wanted) in cases {
            assert_eq!(onward(&uri.parse().unwrap()), wanted, "{uri}");
        }
    }

    #[test]
    fn the_parameters_are_read_leniently() {
        let read = |text| query(text).unwrap();
        assert_eq!(read("").operation, None);
        assert_eq!(
            read("operation=a%26b+c&operation=d").operation.as_deref(),
            Some("a&b c")
        );
        let twice = read("service_id=&service_id=s&plan_id=p&x=%ff");
        assert_eq!(twice.service_id.as_deref(), Some("s"));
        assert_eq!(twice.plan_id.as_deref(), Some("p"));
        assert!(query("plan_id=%ff").is_err());
        for (text, wanted) in [
            ("accepts_incomplete=true", true),
            ("accepts_incomplete=True", true),
            ("accepts_incomplete=1", false),
            ("accepts_incomplete=", false),
            ("accepts_incomplete", false),
            ("x_accepts_incomplete=true", false),
        ] {
            assert_eq!(read(text).accepts_incomplete, wanted, "{text}");
        }
    }
}
