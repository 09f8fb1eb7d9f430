//! A failure as an HTTP answer, in two steps: the handler gives status and headers with the failure
//! attached, and the `request` layer writes the body once it knows the correlation id.

use super::Failure;
use crate::encode::told;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use qm_manager_api::ErrorBody;
use std::sync::Arc;

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status;
        for (name, value) in &self.headers {
            response.headers_mut().append(name, value.clone());
        }
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

/// Writes the body of a failed answer; any other answer passes as it is. Bodies of OSB have no place for the id.
pub(crate) fn finish(mut response: Response, correlation_id: Option<&str>) -> Response {
    let Some(failure) = response.extensions_mut().remove::<Arc<Failure>>() else {
        return response;
    };
    let body = ErrorBody {
        error: Some(failure.word.to_owned()),
        description: Some(told::with_words(
            failure.description.clone(),
            failure.broker_error.as_deref(),
        )),
        correlation_id: correlation_id.map(str::to_owned),
        broker_error: failure.broker_error.as_deref().cloned(),
    };
    let json = HeaderValue::from_static("application/json");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, json);
    // The router has measured the empty body.
    headers.remove(header::CONTENT_LENGTH);
    *response.body_mut() = Body::from(text(&body));
    response
}

/// With a line break at its end, as the old server had it; it is also kinder to a terminal.
fn text(body: &ErrorBody) -> String {
    let mut text = serde_json::to_string(body).unwrap_or_else(|_| "{}".to_owned());
    text.push('\n');
    text
}

/// What failed, while the answer is still on its way to [`finish`].
pub(crate) fn of(response: &Response) -> Option<&Failure> {
    let failure = response.extensions().get::<Arc<Failure>>();
    failure.map(AsRef::as_ref)
}
