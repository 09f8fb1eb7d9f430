//! A path means the same with a slash at its end as without. The old server sent clients to the other one;
//! that costs a round trip, and a client that follows with GET loses its body.

use axum::body::HttpBody;
use axum::response::Response;
use axum::routing::future::RouteFuture;
use axum::{BoxError, Router};
use bytes::Bytes;
use http::Uri;
use http::uri::PathAndQuery;
use std::convert::Infallible;
use std::task::{Context, Poll};
use tower::Service;

/// All doors as one service, for a path with a slash at its end and without.
#[derive(Clone)]
pub struct Entrance(pub(super) Router);

impl<B> Service<http::Request<B>> for Entrance
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = RouteFuture<Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        self.0.call(trim(request))
    }
}

fn trim<B>(mut request: http::Request<B>) -> http::Request<B> {
    if let Some(uri) = without_slash(request.uri()) {
        *request.uri_mut() = uri;
    }
    request
}

fn without_slash(uri: &Uri) -> Option<Uri> {
    let path = uri
        .path()
        .strip_suffix('/')
        .filter(|path| !path.is_empty())?;
    let path_and_query = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(path_and_query).ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slash_is_taken_off_and_nothing_else_changes() {
        let cases = [
            ("/v1/info/", Some("/v1/info")),
            ("/v1/info/?a=b%20c", Some("/v1/info?a=b%20c")),
            ("/v1/info", None),
            ("/v1/info?a=/", None),
            ("/", None),
            ("http://host/v1/x/", Some("http://host/v1/x")),
        ];
        for (path, wanted) in cases {
            let uri = path.parse().unwrap();
            let found = without_slash(&uri).map(|uri| uri.to_string());
            assert_eq!(found.as_deref(), wanted, "{path}");
        }
    }
}
