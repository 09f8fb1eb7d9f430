//! The query string, read by hand.
//!
//! A strict struct decoder would refuse what real platforms send: keys twice, keys without a value (T11).
//! Of repeated keys the first with a value counts; empty counts as absent; `+` is a space.

use super::{BadRequest, Hints, Poll, route};
use std::borrow::Cow;

pub(super) const ACCEPTS_INCOMPLETE: &str = "accepts_incomplete";
pub(super) const SERVICE_ID: &str = "service_id";
pub(super) const PLAN_ID: &str = "plan_id";
pub(super) const OPERATION: &str = "operation";

pub(super) fn accepts_incomplete(query: Option<&str>) -> Result<bool, BadRequest> {
    match value(query, ACCEPTS_INCOMPLETE)? {
        None => Ok(false),
        Some(word) if word.eq_ignore_ascii_case("true") => Ok(true),
        Some(word) if word.eq_ignore_ascii_case("false") => Ok(false),
        Some(_) => Err(BadRequest::Query {
            key: ACCEPTS_INCOMPLETE,
            problem: "must be true or false",
        }),
    }
}

pub(super) fn hints(query: Option<&str>) -> Result<Hints, BadRequest> {
    Ok(Hints {
        service_id: value(query, SERVICE_ID)?,
        plan_id: value(query, PLAN_ID)?,
    })
}

pub(super) fn poll(query: Option<&str>) -> Result<Poll, BadRequest> {
    Ok(Poll {
        hints: hints(query)?,
        operation: value(query, OPERATION)?,
    })
}

fn value(query: Option<&str>, key: &'static str) -> Result<Option<String>, BadRequest> {
    for pair in query.unwrap_or_default().split('&') {
        let (name, raw) = pair.split_once('=').unwrap_or((pair, ""));
        if !raw.is_empty() && is_key(name, key) {
            return text(raw).map(Some).ok_or(BadRequest::Query {
                key,
                problem: "must be percent-encoded UTF-8",
            });
        }
    }
    Ok(None)
}

fn is_key(name: &str, key: &str) -> bool {
    name == key || (name.contains('%') && text(name).as_deref() == Some(key))
}

fn text(raw: &str) -> Option<String> {
    let raw = if raw.contains('+') {
        Cow::Owned(raw.replace('+', " "))
    } else {
        Cow::Borrowed(raw)
    };
    route::decode(&raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_one_key() {
        let cases = [
            (None, None),
            (Some(""), None),
            (Some("plan_id"), None),
            (Some("plan_id="), None),
            (Some("xplan_id=a"), None),
            (Some("plan_id=a"), Some("a")),
            (Some("x=1&plan_id=a&plan_id=b"), Some("a")),
            (Some("plan_id=&plan_id=b"), Some("b")),
            (Some("plan%5Fid=a"), Some("a")),
            (Some("plan_id=a+b%2Bc%26d=e"), Some("a b+c&d=e")),
            (Some("%zz=1&plan_id=%C3%BC"), Some("ü")),
        ];
        for (query, wanted) in cases {
            assert_eq!(
                value(query, PLAN_ID).unwrap().as_deref(),
                wanted,
                "{query:?}"
            );
        }
    }

    #[test]
    fn refuses_bad_encoding() {
        for query in ["plan_id=%", "plan_id=%FF"] {
            assert!(hints(Some(query)).is_err(), "{query}");
        }
    }

    #[test]
    fn accepts_incomplete_is_true_false_or_an_error() {
        let cases = [
            ("true", true),
            ("TRUE", true),
            ("false", false),
            ("False", false),
            ("", false),
        ];
        for (word, wanted) in cases {
            let query = format!("accepts_incomplete={word}");
            assert_eq!(accepts_incomplete(Some(&query)), Ok(wanted), "{word}");
        }
        for word in ["1", "yes", "true%20", "hunter2"] {
            let query = format!("accepts_incomplete={word}");
            let error = accepts_incomplete(Some(&query)).unwrap_err();
            assert_eq!(
                error.message(),
                "accepts_incomplete in the query must be true or false"
            );
        }
    }
}
