//! A path means the same with a slash at its end as without. The old server sent clients to the other one;
//! that costs a round trip, and a client that follows with GET loses its body.

use axum::Router;
use axum::extract::Request;
use http::Uri;
use http::uri::PathAndQuery;
use tower::util::MapRequestLayer;

/// Serves both. Routing happens inside, so this must stand outside of the router.
pub(super) fn either_way(doors: Router) -> Router {
    let both = tower::ServiceBuilder::new()
        .layer(MapRequestLayer::new(trim))
        .service(doors);
    Router::new().fallback_service(both)
}

fn trim(mut request: Request) -> Request {
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
