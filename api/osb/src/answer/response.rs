//! From an [`Answer`] to an `http` response.
//!
//! Brokers call it last. The rule: it cannot fail, because there is nobody left to tell.

use super::Answer;
use bytes::Bytes;
use http::{
    HeaderName, HeaderValue, Response, StatusCode,
    header::{CONTENT_TYPE, ETAG, RETRY_AFTER},
};
use serde::Serialize;

impl Answer {
    /// The status that goes with it.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Catalog { .. }
            | Self::Instance(_)
            | Self::Updated(_)
            | Self::Binding(_)
            | Self::Deleted
            | Self::LastOperation { .. } => StatusCode::OK,
            Self::NotModified { .. } => StatusCode::NOT_MODIFIED,
            Self::Provisioned { created, .. } | Self::Bound { created, .. } => {
                if *created {
                    StatusCode::CREATED
                } else {
                    StatusCode::OK
                }
            }
            Self::Accepted(_) => StatusCode::ACCEPTED,
            Self::Error { status, .. } => *status,
        }
    }

    /// Builds the response.
    pub fn response(&self) -> Response<Bytes> {
        let status = self.status();
        match self {
            Self::Catalog { body, etag } => {
                let mut response = json(status, body);
                header(&mut response, ETAG, etag.as_deref());
                response
            }
            Self::NotModified { etag } => {
                let mut response = Response::new(Bytes::new());
                *response.status_mut() = status;
                header(&mut response, ETAG, etag.as_deref());
                response
            }
            Self::Provisioned { created: _, body } => json(status, body),
            Self::Instance(body) => json(status, body),
            Self::Updated(body) => json(status, body),
            Self::Bound { created: _, body } | Self::Binding(body) => json(status, body),
            Self::Deleted => bytes(status, Bytes::from_static(b"{}")),
            Self::Accepted(body) => json(status, body),
            Self::LastOperation { body, retry_after } => {
                let mut response = json(status, body);
                if let Some(seconds) = *retry_after {
                    let headers = response.headers_mut();
                    headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
                }
                response
            }
            Self::Error { status: _, body } => json(status, body),
        }
    }
}

/// A tag that a header cannot carry is left out: caching is a favour, the body is the answer.
fn header(response: &mut Response<Bytes>, name: HeaderName, value: Option<&str>) {
    if let Some(value) = value.and_then(|value| HeaderValue::from_str(value).ok()) {
        response.headers_mut().insert(name, value);
    }
}

fn json<T: Serialize>(status: StatusCode, body: &T) -> Response<Bytes> {
    // Objects with text keys always serialise; if that ever breaks, a platform must not read success.
    serde_json::to_vec(body).map_or_else(
        |_| {
            bytes(
                StatusCode::INTERNAL_SERVER_ERROR,
                Bytes::from_static(br#"{"description":"the answer cannot be written as JSON"}"#),
            )
        },
        |body| bytes(status, Bytes::from(body)),
    )
}

fn bytes(status: StatusCode, body: Bytes) -> Response<Bytes> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalog, LastOperation, State};

    #[test]
    fn writes_the_headers_that_matter() {
        let catalog = Answer::Catalog {
            body: Box::new(Catalog::default()),
            etag: Some("\"a\"".to_owned()),
        };
        let response = catalog.response();
        assert_eq!(response.headers()[ETAG], "\"a\"");
        assert_eq!(response.headers()[CONTENT_TYPE], "application/json");
        assert_eq!(response.body().as_ref(), br#"{"services":[]}"#);

        let poll = Answer::LastOperation {
            body: LastOperation::new(State::InProgress, None),
            retry_after: Some(7),
        };
        assert_eq!(poll.response().headers()[RETRY_AFTER], "7");

        let same = Answer::NotModified { etag: None }.response();
        assert_eq!(same.status(), StatusCode::NOT_MODIFIED);
        assert!(same.body().is_empty());
    }

    #[test]
    fn a_tag_with_a_line_break_is_left_out() {
        let catalog = Answer::Catalog {
            body: Box::new(Catalog::default()),
            etag: Some("a\nb".to_owned()),
        };
        assert!(!catalog.response().headers().contains_key(ETAG));
    }
}
