//! What came back, with the checks that most tests make.
//!
//! The rule: a check that fails shows the whole answer.

use bytes::Bytes;
use http::{HeaderMap, Response};
use serde_json::Value;

/// An answer, read to its end.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// What was asked, for messages.
    pub(crate) asked: String,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
    /// `null` when the body is not JSON.
    pub(crate) body: Value,
}

impl Answer {
    pub(super) fn new(asked: String, answer: Response<Bytes>) -> Self {
        let (head, body) = answer.into_parts();
        Self {
            asked,
            status: head.status.as_u16(),
            headers: head.headers,
            text: String::from_utf8_lossy(&body).into_owned(),
            body: serde_json::from_slice(&body).unwrap_or(Value::Null),
        }
    }

    /// The body of an answer that must have this status.
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Value {
        assert_eq!(
            self.status, status,
            "{} should be {status}: {self:#?}",
            self.asked
        );
        self.body
    }

    /// The description of a refusal that must have this status and this `error` word.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, word: &str) -> String {
        let asked = self.asked.clone();
        let body = self.expect(status);
        assert_eq!(body["error"], word, "{asked}: {body}");
        let description = body["description"].as_str().unwrap_or_default();
        assert!(!description.is_empty(), "{asked}: no description in {body}");
        description.to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The `Location` of a 202, which must be the path of an operation without a host.
    #[track_caller]
    pub(crate) fn location(&self) -> String {
        assert_eq!(self.status, 202, "{self:#?}");
        let location = self.header("location").unwrap_or_default().to_owned();
        assert!(
            location.starts_with("/v1/") && location.contains("/operations/"),
            "{self:#?}"
        );
        location
    }
}

/// The `id` of a resource.
#[track_caller]
pub(crate) fn id(resource: &Value) -> String {
    text(resource, "id")
}

/// A text field of a resource.
#[track_caller]
pub(crate) fn text(resource: &Value, field: &str) -> String {
    let text = resource[field].as_str();
    text.unwrap_or_else(|| panic!("no text {field} in {resource}"))
        .to_owned()
}

/// The `items` of a page.
#[track_caller]
pub(crate) fn items(page: &Value) -> Vec<Value> {
    let items = page["items"].as_array();
    items
        .unwrap_or_else(|| panic!("no items in {page}"))
        .clone()
}

/// One text field of all items of a page, sorted.
#[track_caller]
pub(crate) fn fields(page: &Value, field: &str) -> Vec<String> {
    let mut fields: Vec<_> = items(page).iter().map(|item| text(item, field)).collect();
    fields.sort();
    fields
}
