//! From method and path to endpoint and ids.
//!
//! A broker routes before it authenticates or reads a body. The rule: each segment is decoded by itself,
//! after splitting, so an id may contain an encoded `/` (B10).

use super::Route;
use crate::{BindingId, InstanceId, Verb, id::BadId};
use http::Method;
use percent_encoding::percent_decode_str;

/// Why a request has no endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RouteError {
    /// 404: no such path.
    #[error("no endpoint of the service broker API has this path")]
    NotFound,
    /// 405: the path is there, the method is not.
    #[error("this path does not take this method; it takes {allow}")]
    MethodNotAllowed {
        /// For the `Allow` header.
        allow: &'static str,
    },
    /// 400: the id in the path is not one.
    #[error("an id in the path is not valid")]
    BadId(#[source] BadId),
}

impl RouteError {
    /// For people: what to change.
    pub fn message(&self) -> String {
        match self {
            Self::BadId(bad) => format!("the path is wrong: {bad}"),
            other => other.to_string(),
        }
    }
}

impl Route {
    /// Routes what follows the mount prefix: a path that starts with `/v2/`.
    pub fn of(method: &Method, path: &str) -> Result<Self, RouteError> {
        let mut parts = path
            .strip_prefix("/v2/")
            .ok_or(RouteError::NotFound)?
            .split('/');
        // One more than the longest path has, so that anything longer is seen and refused.
        let parts: [Option<&str>; 6] = std::array::from_fn(|_| parts.next());
        match parts {
            [Some("catalog"), None, ..] => match *method {
                Method::GET => Self::new(Verb::Catalog, None, None),
                _ => Err(allow("GET")),
            },
            // A trailing slash is another path, not an empty id.
            [Some("service_instances"), Some(i), None, ..] if !i.is_empty() => {
                let verb = match *method {
                    Method::PUT => Verb::Provision,
                    Method::GET => Verb::FetchInstance,
                    Method::PATCH => Verb::Update,
                    Method::DELETE => Verb::Deprovision,
                    _ => return Err(allow("GET, PUT, PATCH, DELETE")),
                };
                Self::new(verb, Some(i), None)
            }
            [
                Some("service_instances"),
                Some(i),
                Some("last_operation"),
                None,
                ..,
            ] => match *method {
                Method::GET => Self::new(Verb::PollInstance, Some(i), None),
                _ => Err(allow("GET")),
            },
            [
                Some("service_instances"),
                Some(i),
                Some("service_bindings"),
                Some(b),
                None,
                _,
            ] if !b.is_empty() => {
                let verb = match *method {
                    Method::PUT => Verb::Bind,
                    Method::GET => Verb::FetchBinding,
                    Method::DELETE => Verb::Unbind,
                    _ => return Err(allow("GET, PUT, DELETE")),
                };
                Self::new(verb, Some(i), Some(b))
            }
            [
                Some("service_instances"),
                Some(i),
                Some("service_bindings"),
                Some(b),
                Some("last_operation"),
                None,
            ] => match *method {
                Method::GET => Self::new(Verb::PollBinding, Some(i), Some(b)),
                _ => Err(allow("GET")),
            },
            _ => Err(RouteError::NotFound),
        }
    }

    fn new(verb: Verb, instance: Option<&str>, binding: Option<&str>) -> Result<Self, RouteError> {
        let instance = instance
            .map(|i| segment(InstanceId::LABEL, i))
            .transpose()?;
        let binding = binding.map(|b| segment(BindingId::LABEL, b)).transpose()?;
        Ok(Self {
            verb,
            instance: instance
                .map(InstanceId::new)
                .transpose()
                .map_err(RouteError::BadId)?,
            binding: binding
                .map(BindingId::new)
                .transpose()
                .map_err(RouteError::BadId)?,
        })
    }
}

fn allow(allow: &'static str) -> RouteError {
    RouteError::MethodNotAllowed { allow }
}

fn segment(label: &'static str, raw: &str) -> Result<String, RouteError> {
    decode(raw).ok_or(RouteError::BadId(BadId::Encoding(label)))
}

/// Percent-decodes strictly: a `%` that begins no pair of digits is a fault, not a character.
pub(super) fn decode(raw: &str) -> Option<String> {
    let bytes = raw.as_bytes();
    let mut percents = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'%');
    let sound = percents.all(|(at, _)| {
        matches!(bytes.get(at + 1..at + 3), Some([a, b]) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
    });
    if !sound {
        return None;
    }
    Some(percent_decode_str(raw).decode_utf8().ok()?.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(
        method: &Method,
        path: &str,
    ) -> Result<(Verb, Option<String>, Option<String>), RouteError> {
        Route::of(method, path).map(|route| {
            (
                route.verb,
                route.instance.map(String::from),
                route.binding.map(String::from),
            )
        })
    }

    #[test]
    fn finds_every_endpoint() {
        let i = Some("i".to_owned());
        let b = Some("b".to_owned());
        let cases = [
            (Method::GET, "/v2/catalog", Verb::Catalog, None, None),
            (
                Method::PUT,
                "/v2/service_instances/i",
                Verb::Provision,
                i.clone(),
                None,
            ),
            (
                Method::GET,
                "/v2/service_instances/i",
                Verb::FetchInstance,
                i.clone(),
                None,
            ),
            (
                Method::PATCH,
                "/v2/service_instances/i",
                Verb::Update,
                i.clone(),
                None,
            ),
            (
                Method::DELETE,
                "/v2/service_instances/i",
                Verb::Deprovision,
                i.clone(),
                None,
            ),
            (
                Method::GET,
                "/v2/service_instances/i/last_operation",
                Verb::PollInstance,
                i.clone(),
                None,
            ),
            (
                Method::PUT,
                "/v2/service_instances/i/service_bindings/b",
                Verb::Bind,
                i.clone(),
                b.clone(),
            ),
            (
                Method::GET,
                "/v2/service_instances/i/service_bindings/b",
                Verb::FetchBinding,
                i.clone(),
                b.clone(),
            ),
            (
                Method::DELETE,
                "/v2/service_instances/i/service_bindings/b",
                Verb::Unbind,
                i.clone(),
                b.clone(),
            ),
            (
                Method::GET,
                "/v2/service_instances/i/service_bindings/b/last_operation",
                Verb::PollBinding,
                i,
                b,
            ),
        ];
        for (method, path, verb, instance, binding) in cases {
            assert_eq!(of(&method, path), Ok((verb, instance, binding)), "{path}");
        }
    }

    #[test]
    fn decodes_each_segment_by_itself() {
        let (_, instance, binding) = of(
            &Method::PUT,
            "/v2/service_instances/a%2Fb%20c/service_bindings/%C3%BC%25+",
        )
        .unwrap();
        assert_eq!(instance.as_deref(), Some("a/b c"));
        assert_eq!(binding.as_deref(), Some("ü%+"));
    }

    #[test]
    fn an_id_may_be_a_word_of_the_path() {
        let (verb, instance, _) = of(&Method::PUT, "/v2/service_instances/last_operation").unwrap();
        assert_eq!(
            (verb, instance.as_deref()),
            (Verb::Provision, Some("last_operation"))
        );
    }

    #[test]
    fn refuses_unknown_paths() {
        for path in [
            "",
            "/",
            "/v2",
            "/v2/",
            "/v2/catalog/",
            "/v2//catalog",
            "/v3/catalog",
            "/v2/Catalog",
            "/v2/service_instances",
            "/v2/service_instances/",
            "/v2/service_instances/i/",
            "/v2/service_instances/i/last_operation/",
            "/v2/service_instances/i/service_bindings",
            "/v2/service_instances/i/service_bindings/",
            "/v2/service_instances/i/service_bindings/b/",
            "/v2/service_instances/i/service_bindings/b/last_operation/x",
            "/v2/service_instances/i/service_bindings/b/other",
        ] {
            assert_eq!(of(&Method::GET, path), Err(RouteError::NotFound), "{path}");
        }
    }

    #[test]
    fn names_the_methods_a_path_takes() {
        let cases = [
            (Method::POST, "/v2/catalog", "GET"),
            (
                Method::POST,
                "/v2/service_instances/i",
                "GET, PUT, PATCH, DELETE",
            ),
            (
                Method::PATCH,
                "/v2/service_instances/i/service_bindings/b",
                "GET, PUT, DELETE",
            ),
            (Method::PUT, "/v2/service_instances/i/last_operation", "GET"),
            (
                Method::PUT,
                "/v2/service_instances/i/service_bindings/b/last_operation",
                "GET",
            ),
        ];
        for (method, path, allow) in cases {
            assert_eq!(
                of(&method, path),
                Err(RouteError::MethodNotAllowed { allow }),
                "{path}"
            );
        }
    }

    #[test]
    fn refuses_ids_that_are_none() {
        let cases = [
            (
                "/v2/service_instances//last_operation",
                BadId::Empty("instance_id"),
            ),
            (
                "/v2/service_instances//service_bindings/b",
                BadId::Empty("instance_id"),
            ),
            (
                "/v2/service_instances/i/service_bindings//last_operation",
                BadId::Empty("binding_id"),
            ),
            ("/v2/service_instances/%", BadId::Encoding("instance_id")),
            ("/v2/service_instances/%4", BadId::Encoding("instance_id")),
            ("/v2/service_instances/%zz", BadId::Encoding("instance_id")),
            ("/v2/service_instances/%FF", BadId::Encoding("instance_id")),
            ("/v2/service_instances/a%00", BadId::Control("instance_id")),
            (
                "/v2/service_instances/i/service_bindings/%C3",
                BadId::Encoding("binding_id"),
            ),
        ];
        for (path, wanted) in cases {
            assert_eq!(
                of(&Method::GET, path),
                Err(RouteError::BadId(wanted)),
                "{path}"
            );
        }
    }
}
