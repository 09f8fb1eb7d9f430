//! From a [`Call`] to an `http` request.
//!
//! Platforms and tests call it and add what authenticates them. The rule: ids and the broker's operation
//! are percent-encoded byte by byte, so that whatever they hold arrives as it was.

use super::{Call, Hints, Poll, query};
use crate::{BindingId, InstanceId, header, header::Envelope};
use bytes::Bytes;
use http::{
    HeaderMap, HeaderValue, Method, Request, Uri,
    header::{ACCEPT, CONTENT_TYPE, IF_NONE_MATCH},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Why a call cannot be put on the wire.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The base is no URL, or base and ids together are longer than a URL may be.
    #[error("the broker's URL and the ids do not make a valid URL")]
    Uri(#[source] http::uri::InvalidUri),
    /// A value cannot stand in a header.
    #[error("the value for the header {0} has characters that a header cannot carry")]
    Header(&'static str),
    /// The body cannot be written as JSON.
    #[error("the body cannot be written as JSON")]
    Body(#[source] serde_json::Error),
}

impl Call {
    /// Builds the request. `base` is the broker's URL, with or without a path, with or without a last slash.
    pub fn request(&self, base: &str, envelope: &Envelope) -> Result<Request<Bytes>, BuildError> {
        let (method, mut target, body) = self.parts(base.trim_end_matches('/'))?;
        let mut request = Request::new(Bytes::new());
        let headers = request.headers_mut();
        stamp(headers, envelope)?;
        if let Some(body) = body {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            *request.body_mut() = body;
        }
        if let Self::Catalog {
            if_none_match: Some(tag),
        } = self
        {
            let tag = text(tag, "If-None-Match")?;
            request.headers_mut().insert(IF_NONE_MATCH, tag);
        }
        *request.method_mut() = method;
        target.shrink_to_fit();
        *request.uri_mut() =
            Uri::from_maybe_shared(Bytes::from(target)).map_err(BuildError::Uri)?;
        Ok(request)
    }

    fn parts(&self, base: &str) -> Result<(Method, String, Option<Bytes>), BuildError> {
        Ok(match self {
            Self::Catalog { if_none_match: _ } => (Method::GET, format!("{base}/v2/catalog"), None),
            Self::Provision {
                instance,
                accepts_incomplete,
                body,
            } => {
                let url = at_instance(base, instance).incomplete(*accepts_incomplete);
                (Method::PUT, url.text, Some(json(body)?))
            }
            Self::FetchInstance { instance, hints } => (
                Method::GET,
                at_instance(base, instance).hints(hints).text,
                None,
            ),
            Self::Update {
                instance,
                accepts_incomplete,
                body,
            } => {
                let url = at_instance(base, instance).incomplete(*accepts_incomplete);
                (Method::PATCH, url.text, Some(json(body)?))
            }
            Self::Deprovision {
                instance,
                accepts_incomplete,
                hints,
            } => {
                let url = at_instance(base, instance).hints(hints);
                (
                    Method::DELETE,
                    url.incomplete(*accepts_incomplete).text,
                    None,
                )
            }
            Self::PollInstance { instance, poll } => {
                let url = at_instance(base, instance).word("last_operation");
                (Method::GET, url.poll(poll).text, None)
            }
            Self::Bind {
                instance,
                binding,
                accepts_incomplete,
                body,
            } => {
                let url = at_binding(base, instance, binding).incomplete(*accepts_incomplete);
                (Method::PUT, url.text, Some(json(body)?))
            }
            Self::Rotate {
                instance,
                binding,
                accepts_incomplete,
                body,
            } => {
                let url = at_binding(base, instance, binding).incomplete(*accepts_incomplete);
                (Method::PUT, url.text, Some(json(body)?))
            }
            Self::FetchBinding {
                instance,
                binding,
                hints,
            } => {
                let url = at_binding(base, instance, binding).hints(hints);
                (Method::GET, url.text, None)
            }
            Self::Unbind {
                instance,
                binding,
                accepts_incomplete,
                hints,
            } => {
                let url = at_binding(base, instance, binding).hints(hints);
                (
                    Method::DELETE,
                    url.incomplete(*accepts_incomplete).text,
                    None,
                )
            }
            Self::PollBinding {
                instance,
                binding,
                poll,
            } => {
                let url = at_binding(base, instance, binding).word("last_operation");
                (Method::GET, url.poll(poll).text, None)
            }
        })
    }
}

/// A URL under construction.
struct Url {
    text: String,
    queried: bool,
}

fn at_instance(base: &str, instance: &InstanceId) -> Url {
    let mut text = String::with_capacity(base.len() + 64);
    text.push_str(base);
    text.push_str("/v2");
    Url {
        text,
        queried: false,
    }
    .word("service_instances")
    .id(instance.as_str())
}

fn at_binding(base: &str, instance: &InstanceId, binding: &BindingId) -> Url {
    at_instance(base, instance)
        .word("service_bindings")
        .id(binding.as_str())
}

impl Url {
    fn word(mut self, word: &str) -> Self {
        self.text.push('/');
        self.text.push_str(word);
        self
    }

    fn id(mut self, id: &str) -> Self {
        self.text.push('/');
        match id {
            // Somebody between us and the broker may take bare dots for "here" and "up".
            "." => self.text.push_str("%2E"),
            ".." => self.text.push_str("%2E%2E"),
            _ => self.text.extend(utf8_percent_encode(id, RESERVED)),
        }
        self
    }

    fn pair(mut self, key: &str, value: Option<&str>) -> Self {
        let Some(value) = value.filter(|value| !value.is_empty()) else {
            return self;
        };
        self.text.push(if self.queried { '&' } else { '?' });
        self.queried = true;
        self.text.push_str(key);
        self.text.push('=');
        self.text.extend(utf8_percent_encode(value, RESERVED));
        self
    }

    fn incomplete(self, accepts: bool) -> Self {
        self.pair(query::ACCEPTS_INCOMPLETE, accepts.then_some("true"))
    }

    fn hints(self, hints: &Hints) -> Self {
        let Hints {
            service_id,
            plan_id,
        } = hints;
        self.pair(query::SERVICE_ID, service_id.as_deref())
            .pair(query::PLAN_ID, plan_id.as_deref())
    }

    fn poll(self, poll: &Poll) -> Self {
        let Poll { hints, operation } = poll;
        self.hints(hints)
            .pair(query::OPERATION, operation.as_deref())
    }
}

fn stamp(headers: &mut HeaderMap, envelope: &Envelope) -> Result<(), BuildError> {
    let Envelope {
        api_version,
        originating_identity,
        request_identity,
        headers: further,
    } = envelope;
    headers.clone_from(further);
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    let version = text(&api_version.to_string(), "X-Broker-API-Version")?;
    headers.insert(header::API_VERSION, version);
    if let Some(identity) = originating_identity {
        let identity = text(&identity.to_string(), "X-Broker-API-Originating-Identity")?;
        headers.insert(header::ORIGINATING_IDENTITY, identity);
    }
    if let Some(identity) = request_identity {
        let identity = text(identity, "X-Broker-API-Request-Identity")?;
        headers.insert(header::REQUEST_IDENTITY, identity);
    }
    Ok(())
}

fn text(value: &str, name: &'static str) -> Result<HeaderValue, BuildError> {
    HeaderValue::from_str(value).map_err(|_| BuildError::Header(name))
}

fn json<T: Serialize>(body: &T) -> Result<Bytes, BuildError> {
    serde_json::to_vec(body)
        .map(Bytes::from)
        .map_err(BuildError::Body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poll(operation: &str) -> Call {
        Call::PollInstance {
            instance: InstanceId::new("a/b ü..").unwrap(),
            poll: Poll {
                hints: Hints {
                    service_id: Some("s&1".to_owned()),
                    plan_id: None,
                },
                operation: Some(operation.to_owned()),
            },
        }
    }

    #[test]
    fn encodes_ids_and_operation() {
        for base in ["http://broker.example/osb", "http://broker.example/osb/"] {
            let request = poll("op +%/?#")
                .request(base, &Envelope::default())
                .unwrap();
            assert_eq!(
                request.uri(),
                "http://broker.example/osb/v2/service_instances/a%2Fb%20%C3%BC../last_operation\
                 ?service_id=s%261&operation=op%20%2B%25%2F%3F%23"
            );
            assert_eq!(request.headers()[header::API_VERSION], "2.17");
        }
    }

    #[test]
    fn keeps_dots_from_meaning_a_place() {
        for (id, wanted) in [(".", "%2E"), ("..", "%2E%2E"), ("a..", "a..")] {
            let call = Call::FetchInstance {
                instance: InstanceId::new(id).unwrap(),
                hints: Hints::default(),
            };
            let request = call.request("http://h", &Envelope::default()).unwrap();
            assert_eq!(
                request.uri().path(),
                format!("/v2/service_instances/{wanted}")
            );
        }
    }

    #[test]
    fn refuses_what_cannot_be_sent() {
        let long = poll(&"x".repeat(70_000)).request("http://h", &Envelope::default());
        assert!(matches!(long, Err(BuildError::Uri(_))), "{long:?}");
        let base = poll("x").request("not a url", &Envelope::default());
        assert!(matches!(base, Err(BuildError::Uri(_))), "{base:?}");
        let envelope = Envelope {
            request_identity: Some("a\nb".to_owned()),
            ..Envelope::default()
        };
        let header = poll("x").request("http://h", &envelope);
        assert!(matches!(header, Err(BuildError::Header(_))), "{header:?}");
    }
}
