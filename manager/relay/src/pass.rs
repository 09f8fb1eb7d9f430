//! A platform's own request, on its way to the broker.
//!
//! Deeds call it for everything that comes through a door. The rule: path, query and body go as they came;
//! of the headers, those that mean something from end to end; and never what the caller logged in with.

mod headers;
mod place;

pub(crate) use place::Base;

use crate::{Relay, RelayError, Target, call};
use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response};
use quartermaster_osb::Verb;
use std::fmt;

/// What a platform sent.
#[derive(Clone)]
pub struct Passed {
    /// `/v2/...`, with its query, as it stood behind the door.
    pub path_and_query: String,
    /// All of them; what must not be passed on is taken out here.
    pub headers: HeaderMap,
    /// As it is to be sent; it may hold secrets.
    pub body: Bytes,
}

impl fmt::Debug for Passed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A query may hold an operation, headers a password, a body anything.
        let path = self.path_and_query.split('?').next().unwrap_or_default();
        f.debug_struct("Passed")
            .field("path", &path)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

impl Relay {
    /// Passes a platform's request on and returns the broker's answer, whatever its status, without the headers
    /// that are about our connection to it.
    ///
    /// # Errors
    /// Why there is no answer; [`RelayError::outcome`] says what that means for what was asked.
    pub async fn pass(
        &self,
        target: &Target<'_>,
        verb: Verb,
        request_identity: &str,
        passed: Passed,
    ) -> Result<Response<Bytes>, RelayError> {
        let Passed {
            path_and_query,
            headers,
            body,
        } = passed;
        let peer = self.peer(target).await?;
        let method = method(verb, &path_and_query);
        // By HTTP a body means nothing there, and some brokers stumble over one.
        let body = match method == Method::GET || method == Method::DELETE {
            true => Bytes::new(),
            false => body,
        };
        let headers = headers::onward(headers, request_identity, body.is_empty())?;
        let mut request = Request::new(body);
        *request.headers_mut() = headers;
        *request.method_mut() = method;
        *request.uri_mut() = peer.base.join(path_and_query)?;
        let settings = &self.inner.settings;
        let limits = (settings, settings.answer_limit);
        let answer = call::send(&peer, verb, request_identity, request, limits).await;
        let mut answer = answer.map_err(RelayError::about_an_answer)?;
        headers::homeward(answer.headers_mut());
        Ok(answer)
    }
}

/// How a verb is asked. What is not of the protocol, adapting credentials, counts as binding and is a POST.
fn method(verb: Verb, path_and_query: &str) -> Method {
    match verb {
        Verb::Catalog
        | Verb::FetchInstance
        | Verb::PollInstance
        | Verb::FetchBinding
        | Verb::PollBinding => Method::GET,
        Verb::Provision => Method::PUT,
        Verb::Update => Method::PATCH,
        Verb::Deprovision | Verb::Unbind => Method::DELETE,
        Verb::Bind if is_adaptation(path_and_query) => Method::POST,
        Verb::Bind => Method::PUT,
    }
}

/// `/v2/service_instances/{i}/service_bindings/{b}/adapt_credentials`; a binding may have that name too.
fn is_adaptation(path_and_query: &str) -> bool {
    let path = path_and_query.split('?').next().unwrap_or_default();
    path.ends_with("/adapt_credentials") && path.matches('/').count() == 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adapting_is_told_from_a_binding_of_that_name() {
        let rows = [
            ("/v2/service_instances/i/service_bindings/b", Method::PUT),
            (
                "/v2/service_instances/i/service_bindings/adapt_credentials",
                Method::PUT,
            ),
            (
                "/v2/service_instances/i/service_bindings/b/adapt_credentials?x=/",
                Method::POST,
            ),
        ];
        for (path, wanted) in rows {
            assert_eq!(method(Verb::Bind, path), wanted, "{path}");
        }
    }

    #[test]
    fn what_it_holds_does_not_print() {
        let mut headers = HeaderMap::new();
        headers.insert("authorization", "hunter2".parse().unwrap());
        let passed = Passed {
            path_and_query: "/v2/x?operation=hunter2".to_owned(),
            headers,
            body: Bytes::from_static(b"hunter2"),
        };
        let text = format!("{passed:?}");
        assert!(
            text.contains("/v2/x") && !text.contains("hunter2"),
            "{text}"
        );
    }
}
