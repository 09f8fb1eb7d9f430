//! Headers that keep answers where they belong. No CORS: the API is not for pages of other origins.

use axum::response::Response;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};

pub(super) fn mark(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Any answer may bear a secret or be for one caller alone. The few that may be kept say so themselves.
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}
