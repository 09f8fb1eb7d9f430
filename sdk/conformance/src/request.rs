//! A request as a case builds it: well-formed by default, and breakable in every part.
//!
//! Requests are not built with the types of `quartermaster-osb` on purpose: those cannot express a malformed
//! request, and a suite that shared its reader with the broker would share its faults.

use http::{HeaderName, HeaderValue, Method};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

/// Everything but the unreserved characters of RFC 3986 is encoded.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Which credentials a request carries.
#[derive(Debug, Clone)]
pub(crate) enum Credentials {
    /// The right ones.
    Right,
    /// None at all.
    Absent,
    /// This `Authorization` header.
    Raw(String),
}

/// What a request may create or delete at the broker; kept for cleaning up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resource {
    pub(crate) instance: String,
    pub(crate) binding: Option<String>,
    pub(crate) service_id: String,
    pub(crate) plan_id: String,
}

/// A request to the broker.
#[derive(Debug, Clone)]
pub struct Request {
    pub(crate) method: Method,
    /// Below the broker's URL; already percent-encoded.
    pub(crate) path: String,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) raw_query: Option<String>,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) content_type: Option<&'static str>,
    pub(crate) body: Vec<u8>,
    pub(crate) credentials: Credentials,
    /// The default version header is sent.
    pub(crate) versioned: bool,
    /// The request identity; a fresh one unless a case sets it.
    pub(crate) identity: Option<Vec<u8>>,
    pub(crate) resource: Option<Resource>,
}

/// One path segment, percent-encoded. `.` and `..` are encoded too, so that no client folds them.
pub(crate) fn segment(id: &str) -> String {
    if id == "." || id == ".." {
        return id.replace('.', "%2E");
    }
    utf8_percent_encode(id, SEGMENT).to_string()
}

impl Request {
    pub(crate) fn new(method: Method, path: impl Into<String>) -> Self {
        Self {
            method,
            path: path.into(),
            query: Vec::new(),
            raw_query: None,
            headers: Vec::new(),
            content_type: None,
            body: Vec::new(),
            credentials: Credentials::Right,
            versioned: true,
            identity: Some(uuid::Uuid::new_v4().to_string().into_bytes()),
            resource: None,
        }
    }

    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path)
    }

    pub(crate) fn catalog() -> Self {
        Self::get("/v2/catalog")
    }

    pub(crate) fn query(mut self, key: &str, value: &str) -> Self {
        self.query.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Takes a query key away.
    pub(crate) fn without_query(mut self, key: &str) -> Self {
        self.query.retain(|(k, _)| k != key);
        self
    }

    /// Sets a query key, in place of what was there.
    pub(crate) fn set_query(self, key: &str, value: &str) -> Self {
        self.without_query(key).query(key, value)
    }

    /// The query exactly as written here.
    pub(crate) fn raw_query(mut self, query: impl Into<String>) -> Self {
        self.raw_query = Some(query.into());
        self
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.bytes(body.to_string())
    }

    /// A body as it is, announced as JSON.
    pub(crate) fn bytes(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.content_type = Some("application/json");
        self
    }

    pub(crate) fn content_type(mut self, value: Option<&'static str>) -> Self {
        self.content_type = value;
        self
    }

    /// Adds a header; values that HTTP cannot carry are left out.
    pub(crate) fn header(mut self, name: &'static str, value: impl AsRef<[u8]>) -> Self {
        if let Ok(value) = HeaderValue::from_bytes(value.as_ref()) {
            self.headers.push((HeaderName::from_static(name), value));
        }
        self
    }

    /// Sends this version header in place of the run's.
    pub(crate) fn version(self, value: &str) -> Self {
        self.unversioned().header("x-broker-api-version", value)
    }

    pub(crate) fn unversioned(mut self) -> Self {
        self.versioned = false;
        self
    }

    pub(crate) fn identity(mut self, value: Option<&[u8]>) -> Self {
        self.identity = value.map(<[u8]>::to_vec);
        self
    }

    pub(crate) fn credentials(mut self, credentials: Credentials) -> Self {
        self.credentials = credentials;
        self
    }

    pub(crate) fn resource(mut self, resource: Resource) -> Self {
        self.resource = Some(resource);
        self
    }

    /// Path and query as they go over the wire.
    pub(crate) fn path_and_query(&self) -> String {
        if let Some(query) = &self.raw_query {
            return format!("{}?{query}", self.path);
        }
        if self.query.is_empty() {
            return self.path.clone();
        }
        let pairs: Vec<String> = self
            .query
            .iter()
            .map(|(key, value)| format!("{}={}", segment(key), segment(value)))
            .collect();
        format!("{}?{}", self.path, pairs.join("&"))
    }

    /// Polls of whatever runs on the same resource and above it. Some brokers move on only when they are polled, so
    /// whoever waits for a busy broker asks.
    pub(crate) fn polls_of_what_runs(&self) -> Vec<Self> {
        let parts: Vec<&str> = self.path.split('/').collect();
        let instance = parts.get(..4).map(|parts| parts.join("/"));
        let binding = parts.get(..6).map(|parts| parts.join("/"));
        let paths = [instance, binding].into_iter().flatten();
        let hint = |key: &str| self.query.iter().find(|(k, _)| k == key).cloned();
        paths
            .map(|path| {
                let mut poll = Self::get(format!("{path}/last_operation"));
                poll.query = [hint("service_id"), hint("plan_id")]
                    .into_iter()
                    .flatten()
                    .collect();
                poll
            })
            .collect()
    }

    /// Whether this is one of the two polling endpoints.
    pub(crate) fn polls(&self) -> bool {
        self.method == Method::GET
            && self.path.ends_with("/last_operation")
            && !self.path.contains("//")
    }

    /// Whether the path is one of a binding.
    pub(crate) fn about_binding(&self) -> bool {
        self.path.contains("/service_bindings/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_encoded_one_by_one() {
        assert_eq!(segment("a/b %é"), "a%2Fb%20%25%C3%A9");
        assert_eq!(segment(".."), "%2E%2E");
        assert_eq!(segment("a.b-c_d~e"), "a.b-c_d~e");
    }

    #[test]
    fn a_busy_resource_has_polls() {
        let binding =
            Request::get("/v2/service_instances/i/service_bindings/b").query("plan_id", "p");
        let polls: Vec<String> = binding
            .polls_of_what_runs()
            .iter()
            .map(Request::path_and_query)
            .collect();
        let path = "/v2/service_instances/i";
        let wanted = [
            format!("{path}/last_operation?plan_id=p"),
            format!("{path}/service_bindings/b/last_operation?plan_id=p"),
        ];
        assert_eq!(polls, wanted);
        let instance = Request::get(path);
        assert_eq!(instance.polls_of_what_runs().len(), 1);
        assert!(Request::catalog().polls_of_what_runs().is_empty());
    }

    #[test]
    fn queries_are_encoded_unless_raw() {
        let request = Request::catalog().query("operation", "a&b=c");
        assert_eq!(request.path_and_query(), "/v2/catalog?operation=a%26b%3Dc");
        assert_eq!(
            request.raw_query("x=%zz").path_and_query(),
            "/v2/catalog?x=%zz"
        );
    }
}
