//! Where a request goes: the broker's URL and the path that the platform asked for.
//!
//! A peer keeps its [`Base`] taken apart, so that a call only puts the pieces together. The rule: the host is
//! always the broker's, whatever the path says.

use crate::RelayError;
use bytes::Bytes;
use http::Uri;
use http::uri::{Authority, PathAndQuery, Scheme};

/// A broker's URL, taken apart.
#[derive(Debug)]
pub(crate) struct Base {
    scheme: Scheme,
    authority: Authority,
    /// Without the last slash; often empty.
    path: String,
}

impl Base {
    /// Of a URL that was checked.
    pub(crate) fn new(url: &Uri) -> Option<Self> {
        Some(Self {
            scheme: url.scheme()?.clone(),
            authority: url.authority()?.clone(),
            path: url.path().trim_end_matches('/').to_owned(),
        })
    }

    /// The whole address.
    pub(crate) fn join(&self, path_and_query: String) -> Result<Uri, RelayError> {
        let bad =
            || RelayError::invalid("the path of the request is not one that can be passed on");
        if !path_and_query.starts_with('/') {
            return Err(bad());
        }
        let mut text = match path_and_query.contains("/.") {
            true => without_dots(&path_and_query),
            false => path_and_query,
        };
        if !self.path.is_empty() {
            text.insert_str(0, &self.path);
        }
        let mut parts = http::uri::Parts::default();
        parts.scheme = Some(self.scheme.clone());
        parts.authority = Some(self.authority.clone());
        let place = PathAndQuery::from_maybe_shared(Bytes::from(text)).map_err(|_| bad())?;
        parts.path_and_query = Some(place);
        Uri::from_parts(parts).map_err(|_| bad())
    }
}

/// Somebody between us and the broker may take bare dots for "here" and "up", and a platform could reach what
/// is beside the broker with the broker's password.
fn without_dots(path_and_query: &str) -> String {
    let (path, query) = match path_and_query.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (path_and_query, None),
    };
    let segments = path.split('/').map(|segment| match segment {
        "." => "%2E",
        ".." => "%2E%2E",
        other => other,
    });
    let mut text = segments.collect::<Vec<_>>().join("/");
    if let Some(query) = query {
        text.push('?');
        text.push_str(query);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(base: &str, path: &str) -> String {
        let base = Base::new(&base.parse().unwrap()).unwrap();
        base.join(path.to_owned()).unwrap().to_string()
    }

    #[test]
    fn path_and_query_stay_as_they_are() {
        let path = "/v2/service_instances/a%2Fb%20%C3%BC..?accepts_incomplete=true&x=%26&y=/../z";
        for base in ["http://h:1", "http://h:1/"] {
            assert_eq!(joined(base, path), format!("http://h:1{path}"));
        }
        assert_eq!(
            joined("https://h/osb/one/", path),
            format!("https://h/osb/one{path}")
        );
    }

    #[test]
    fn dots_do_not_lead_anywhere() {
        assert_eq!(
            joined("http://h/osb", "/v2/../.././x?a=/../b"),
            "http://h/osb/v2/%2E%2E/%2E%2E/%2E/x?a=/../b"
        );
    }

    #[test]
    fn the_host_is_the_brokers() {
        let base = Base::new(&"http://broker".parse().unwrap()).unwrap();
        for path in [
            "",
            "@evil/",
            "http://evil/",
            "v2/catalog",
            "/v2/a b",
            "/v2/\n",
        ] {
            assert!(base.join(path.to_owned()).is_err(), "{path}");
        }
        for path in ["//evil/v2", "/@evil", "/:80@evil"] {
            let uri = base.join(path.to_owned()).unwrap();
            assert_eq!(uri.host(), Some("broker"), "{path}");
        }
    }
}
