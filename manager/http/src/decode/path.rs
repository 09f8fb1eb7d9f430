//! The ids in a path. The router's own extractor, with refusals that speak as all others do.

use crate::Failure;
use axum::extract::{FromRequestParts, Path as Router};
use http::request::Parts;
use serde::de::DeserializeOwned;

/// What stands in the braces of a route, decoded.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        // Fails only for what is not UTF-8 after decoding; no id is that.
        match Router::<T>::from_request_parts(parts, state).await {
            Ok(Router(found)) => Ok(Self(found)),
            Err(_) => Err(Failure::bad_request("the path of the URL is not UTF-8")),
        }
    }
}
