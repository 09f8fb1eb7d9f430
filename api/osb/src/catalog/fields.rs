//! Reading one JSON object field by field and noting what is missing or of the wrong kind.
//!
//! Only the catalog's validation uses it. The rule: what typed decoding refuses is noted here as a MUST;
//! an optional field that is `null` is read as absent and noted as a SHOULD.

use crate::{
    Object,
    id::{self, BadId},
    problem::{Report, step},
};
use serde_json::Value;

/// Faults of shape belong to the endpoint itself: `GET /v2/catalog` is E1 of the wire map.
pub(super) const SHAPE: &str = "E1";

/// Longest text a platform must keep whole (B12).
const MAX_CHARS: usize = 255;

/// An object of the catalog and where it stands.
pub(super) struct Fields<'a> {
    object: &'a Object,
    pub(super) path: String,
}

impl<'a> Fields<'a> {
    /// Takes a value that must be an object.
    pub(super) fn of(value: &'a Value, path: String, report: &mut Report) -> Option<Self> {
        match value {
            Value::Object(object) => Some(Self { object, path }),
            other => wrong(&path, "an object", other, report),
        }
    }

    pub(super) fn path_of(&self, key: &str) -> String {
        step(&self.path, key)
    }

    fn required(&self, key: &str, report: &mut Report) -> Option<&'a Value> {
        let value = self.object.get(key);
        if value.is_none() {
            report.must(&self.path_of(key), SHAPE, "is required");
        }
        value
    }

    fn optional(&self, key: &str, report: &mut Report) -> Option<&'a Value> {
        match self.object.get(key) {
            Some(Value::Null) => {
                report.should(
                    &self.path_of(key),
                    SHAPE,
                    "should be left out instead of null",
                );
                None
            }
            other => other,
        }
    }

    /// A text that must be there and not be empty.
    pub(super) fn required_text(&self, key: &str, report: &mut Report) -> Option<&'a str> {
        let value = self.required(key, report)?;
        let path = self.path_of(key);
        let text = text(value, &path, report)?;
        if text.is_empty() {
            report.must(&path, "B11", "must not be empty");
            return None;
        }
        if text.chars().count() > MAX_CHARS {
            let advice = "should not be longer than 255 characters; platforms may cut it";
            report.should(&path, "B12", advice);
        }
        Some(text)
    }

    /// A text that may be absent.
    pub(super) fn optional_text(&self, key: &str, report: &mut Report) -> Option<&'a str> {
        let value = self.optional(key, report)?;
        text(value, &self.path_of(key), report)
    }

    /// An id: a text that can be stored, and should be a GUID.
    pub(super) fn id(&self, key: &str, report: &mut Report) -> Option<&'a str> {
        let text = self.required_text(key, report)?;
        let path = self.path_of(key);
        match id::check("id", text) {
            Ok(()) => {}
            Err(BadId::TooLong(_)) => {
                report.must(&path, "B11", "must not be longer than 1024 bytes");
            }
            Err(_) => report.must(&path, "B11", "must not contain control characters"),
        }
        if !is_guid(text) {
            report.should(&path, "B12", "should be a GUID");
        }
        Some(text)
    }

    /// A name: a text that should be easy to type.
    pub(super) fn name(&self, key: &str, report: &mut Report) -> Option<&'a str> {
        let text = self.required_text(key, report)?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
        if !text.chars().all(plain) {
            let advice =
                "should have only letters, digits, periods and hyphens, to be typed easily";
            report.should(&self.path_of(key), "B12", advice);
        }
        Some(text)
    }

    pub(super) fn required_flag(&self, key: &str, report: &mut Report) -> Option<bool> {
        let value = self.required(key, report)?;
        flag(value, &self.path_of(key), report)
    }

    pub(super) fn optional_flag(&self, key: &str, report: &mut Report) -> Option<bool> {
        let value = self.optional(key, report)?;
        flag(value, &self.path_of(key), report)
    }

    pub(super) fn required_array(&self, key: &str, report: &mut Report) -> Option<&'a [Value]> {
        let value = self.required(key, report)?;
        array(value, &self.path_of(key), report)
    }

    /// Texts with their paths; what is no text is noted and left out.
    pub(super) fn texts(&self, key: &str, report: &mut Report) -> Vec<(String, &'a str)> {
        let path = self.path_of(key);
        self.optional(key, report)
            .and_then(|value| array(value, &path, report))
            .unwrap_or_default()
            .iter()
            .enumerate()
            .filter_map(|(at, value)| {
                let path = format!("{path}[{at}]");
                let text = text(value, &path, report)?;
                Some((path, text))
            })
            .collect()
    }

    /// An object that may be absent.
    pub(super) fn object(&self, key: &str, report: &mut Report) -> Option<Self> {
        let value = self.optional(key, report)?;
        Self::of(value, self.path_of(key), report)
    }

    /// Anything that may be absent.
    pub(super) fn any(&self, key: &str, report: &mut Report) -> Option<&'a Value> {
        self.optional(key, report)
    }
}

fn text<'a>(value: &'a Value, path: &str, report: &mut Report) -> Option<&'a str> {
    value
        .as_str()
        .or_else(|| wrong(path, "a string", value, report))
}

fn flag(value: &Value, path: &str, report: &mut Report) -> Option<bool> {
    value
        .as_bool()
        .or_else(|| wrong(path, "true or false", value, report))
}

fn array<'a>(value: &'a Value, path: &str, report: &mut Report) -> Option<&'a [Value]> {
    value
        .as_array()
        .map(Vec::as_slice)
        .or_else(|| wrong(path, "an array", value, report))
}

/// Names the kind that was found, never the value.
pub(super) fn wrong<T>(path: &str, wanted: &str, found: &Value, report: &mut Report) -> Option<T> {
    let found = match found {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    report.must(path, SHAPE, format!("must be {wanted}, not {found}"));
    None
}

/// 8-4-4-4-12 hexadecimal digits, any case.
fn is_guid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
