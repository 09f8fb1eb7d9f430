//! From an `http` response to an [`Outcome`].
//!
//! Platforms and the conformance suite call it on whatever came back. The rule: it never fails, and what
//! it says about a broken body never quotes it.

use super::{Answer, Outcome};
use crate::{
    Accepted, ErrorBody, Extra, Object, State, Verb, json,
    operation::{LastOperation, MAX_OPERATION_CHARS},
};
use bytes::Bytes;
use http::{
    HeaderMap, Response, StatusCode,
    header::{ETAG, RETRY_AFTER},
};
use serde_json::Value;

impl Outcome {
    /// What a response to a call of this verb means.
    pub fn parse(verb: Verb, response: &Response<Bytes>) -> Self {
        let status = response.status();
        if status.is_client_error() {
            let body = error_body(response.body());
            return Self::Refused { status, body };
        }
        if status.is_server_error() {
            let body = error_body(response.body());
            return Self::Broken { status, body };
        }
        match success(verb, response) {
            None => Self::Unexpected { status },
            Some(Err(reason)) => Self::Malformed { status, reason },
            Some(Ok(Answer::LastOperation { body, .. })) if body.state == State::Failed => {
                Self::OperationFailed(body)
            }
            Some(Ok(answer)) => Self::Success(answer),
        }
    }

    /// Whether the broker said 410: for a delete, and for a poll of one, that is success (P9).
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Refused { status, .. } if *status == StatusCode::GONE)
    }

    /// The error body, where there is one.
    pub fn error_body(&self) -> Option<&ErrorBody> {
        match self {
            Self::Refused { body, .. } | Self::Broken { body, .. } => Some(body),
            _ => None,
        }
    }
}

/// `Retry-After` in seconds. A date needs a clock to be understood, and the protocol prefers seconds: `None`.
pub fn retry_after(headers: &HeaderMap) -> Option<u64> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// `None`: the protocol does not name this status for this verb.
fn success(verb: Verb, response: &Response<Bytes>) -> Option<Result<Answer, String>> {
    let body = response.body();
    let status = response.status().as_u16();
    let etag = || tag(response.headers());
    let answer = match (verb, status) {
        (Verb::Catalog, 200) => json::read(body).map(|body| Answer::Catalog { body, etag: etag() }),
        (Verb::Catalog, 304) => Ok(Answer::NotModified { etag: etag() }),
        (Verb::Provision, 200 | 201) => json::read(body).map(|body| Answer::Provisioned {
            created: status == 201,
            body,
        }),
        (Verb::FetchInstance, 200) => json::read(body).map(Answer::Instance),
        (Verb::Update, 200) => json::read(body).map(Answer::Updated),
        (Verb::Bind, 200 | 201) => json::read(body).map(|body| Answer::Bound {
            created: status == 201,
            body,
        }),
        (Verb::FetchBinding, 200) => json::read(body).map(Answer::Binding),
        (Verb::Deprovision | Verb::Unbind, 200) => {
            json::read::<Object>(body).map(|_| Answer::Deleted)
        }
        (Verb::Provision | Verb::Update | Verb::Deprovision | Verb::Bind | Verb::Unbind, 202) => {
            return Some(accepted(body));
        }
        (Verb::PollInstance | Verb::PollBinding, 200) => {
            json::read::<LastOperation>(body).map(|body| Answer::LastOperation {
                body,
                retry_after: retry_after(response.headers()),
            })
        }
        _ => return None,
    };
    Some(answer.map_err(|fault| fault.to_string()))
}

fn accepted(body: &[u8]) -> Result<Answer, String> {
    let body: Accepted = json::read(body).map_err(|fault| fault.to_string())?;
    let long = body
        .operation
        .as_ref()
        .is_some_and(|operation| operation.chars().count() > MAX_OPERATION_CHARS);
    if long {
        return Err("operation: must not be longer than 10000 characters".to_owned());
    }
    Ok(Answer::Accepted(body))
}

fn tag(headers: &HeaderMap) -> Option<String> {
    Some(headers.get(ETAG)?.to_str().ok()?.to_owned())
}

/// An error is an error whatever its body: what can be read of it is, and the rest is left.
fn error_body(body: &[u8]) -> ErrorBody {
    if let Ok(body) = serde_json::from_slice(body) {
        return body;
    }
    let Ok(mut fields) = serde_json::from_slice::<Object>(body) else {
        return ErrorBody::default();
    };
    ErrorBody {
        error: text(&mut fields, "error").map(Into::into),
        description: text(&mut fields, "description"),
        instance_usable: flag(&mut fields, "instance_usable"),
        update_repeatable: flag(&mut fields, "update_repeatable"),
        extra: Extra::from(fields),
    }
}

fn text(fields: &mut Object, key: &str) -> Option<String> {
    match fields.remove(key)? {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn flag(fields: &mut Object, key: &str) -> Option<bool> {
    fields.remove(key)?.as_bool()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(verb: Verb, status: u16, body: &str) -> Outcome {
        let response = Response::builder()
            .status(status)
            .body(Bytes::copy_from_slice(body.as_bytes()))
            .unwrap();
        Outcome::parse(verb, &response)
    }

    /// Which statuses below 400 the protocol names, per verb.
    const NAMED: [(Verb, &[u16]); 10] = [
        (Verb::Catalog, &[200, 304]),
        (Verb::Provision, &[200, 201, 202]),
        (Verb::FetchInstance, &[200]),
        (Verb::Update, &[200, 202]),
        (Verb::Deprovision, &[200, 202]),
        (Verb::PollInstance, &[200]),
        (Verb::Bind, &[200, 201, 202]),
        (Verb::FetchBinding, &[200]),
        (Verb::Unbind, &[200, 202]),
        (Verb::PollBinding, &[200]),
    ];

    #[test]
    fn every_status_has_its_meaning() {
        let body = r#"{"services":[],"state":"succeeded"}"#;
        for (verb, named) in NAMED {
            for status in 100..=599 {
                let outcome = parse(verb, status, body);
                let right = match status {
                    400..=499 => matches!(outcome, Outcome::Refused { .. }),
                    500..=599 => matches!(outcome, Outcome::Broken { .. }),
                    _ if named.contains(&status) => matches!(outcome, Outcome::Success(_)),
                    _ => matches!(outcome, Outcome::Unexpected { .. }),
                };
                assert!(right, "{verb} {status}: {outcome:?}");
            }
        }
    }

    #[test]
    fn a_success_with_a_bad_body_is_malformed() {
        let long = format!(
            r#"{{"operation":"{}"}}"#,
            "x".repeat(MAX_OPERATION_CHARS + 1)
        );
        let cases = [
            (Verb::Catalog, 200, "{}", "services: is required"),
            (
                Verb::Catalog,
                200,
                "hunter2",
                "the body is not valid JSON: expected value at line 1, column 1",
            ),
            (
                Verb::Provision,
                201,
                "",
                "the body is empty; it must be a JSON object",
            ),
            (
                Verb::Provision,
                201,
                r#"{"dashboard_url":{"hunter2":1}}"#,
                "dashboard_url: must be a string",
            ),
            (
                Verb::Deprovision,
                200,
                "[]",
                "the body must be a JSON object",
            ),
            (
                Verb::Update,
                202,
                &long,
                "operation: must not be longer than 10000 characters",
            ),
            (Verb::PollInstance, 200, "{}", "state: is required"),
            (
                Verb::PollBinding,
                200,
                r#"{"state":"hunter2"}"#,
                "state: must be one of `in progress`, `succeeded`, `failed`",
            ),
            (
                Verb::Bind,
                201,
                r#"{"endpoints":[{"host":"h","ports":[1]}]}"#,
                "endpoints[0].ports[0]: must be a string",
            ),
        ];
        for (verb, code, body, wanted) in cases {
            match parse(verb, code, body) {
                Outcome::Malformed { status, reason } => {
                    assert_eq!((status.as_u16(), reason.as_str()), (code, wanted));
                }
                other => panic!("{verb} {code}: {other:?}"),
            }
        }
    }

    #[test]
    fn the_longest_operation_is_fine() {
        let body = format!(r#"{{"operation":"{}"}}"#, "ü".repeat(MAX_OPERATION_CHARS));
        assert!(matches!(parse(Verb::Bind, 202, &body), Outcome::Success(_)));
    }

    #[test]
    fn failed_is_an_outcome_of_its_own() {
        let outcome = parse(
            Verb::PollInstance,
            200,
            r#"{"state":"failed","description":"no disk"}"#,
        );
        let wanted = LastOperation::new(State::Failed, Some("no disk".to_owned()));
        assert_eq!(outcome, Outcome::OperationFailed(wanted));
    }

    #[test]
    fn an_error_body_is_read_as_far_as_it_goes() {
        let outcome = parse(
            Verb::Update,
            422,
            r#"{"error":5,"description":"d","instance_usable":false,"x":1}"#,
        );
        let body = outcome.error_body().unwrap();
        assert_eq!(
            (&body.error, body.description.as_deref()),
            (&None, Some("d"))
        );
        assert_eq!((body.instance_usable, body.extra.len()), (Some(false), 1));
        assert_eq!(
            parse(Verb::Update, 500, "<html>").error_body(),
            Some(&ErrorBody::default())
        );
        assert!(parse(Verb::Deprovision, 410, "{}").is_gone());
        assert!(!parse(Verb::Deprovision, 404, "{}").is_gone());
    }

    #[test]
    fn retry_after_is_seconds() {
        for (text, wanted) in [
            ("7", Some(7)),
            (" 7 ", Some(7)),
            ("-1", None),
            ("+1", None),
            ("1.5", None),
            ("Wed, 21 Oct 2015 07:28:00 GMT", None),
            ("99999999999999999999999", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, text.parse().unwrap());
            assert_eq!(retry_after(&headers), wanted, "{text}");
        }
    }
}
