//! The JSON body of a request. Every handler that takes one takes it through [`Body`].
//!
//! The rule: unknown fields are passed over, everything else that is odd is refused with its place named. How bytes
//! are read is the API's own (`qm_manager_api::body`), so that clients and doors agree.

use super::media::{self, Media};
use crate::middleware::body::TooSlow;
use crate::{App, Failure};
use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError};
use qm_manager_api::body;
use quartermaster_osb::json::Fault;
use serde::de::DeserializeOwned;
use std::error::Error;

/// A JSON body of this shape.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        if media::of(request.headers())? == Media::Form {
            return Err(Failure::bad_request(
                "a form is not understood here; send application/json",
            ));
        }
        let bytes = whole(request.into_body(), app.settings.max_body_bytes).await?;
        read(&bytes).map(Self)
    }
}

/// The whole body; size and time were limited on its way here.
pub(super) async fn whole(body: axum::body::Body, limit: usize) -> Result<Bytes, Failure> {
    match body.collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if has::<LengthLimitError>(&error) => Err(Failure::too_large(limit)),
        Err(error) if has::<TooSlow>(&error) => Err(Failure::too_slow()),
        Err(_) => Err(Failure::bad_request("the body broke off")),
    }
}

fn has<E: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.is::<E>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Reads bytes into a shape.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    body::read(body).map_err(|fault| {
        Failure::bad_request(match fault {
            body::Fault::Shape(fault) => words(&fault),
            fault => fault.to_string(),
        })
    })
}

fn words(fault: &Fault) -> String {
    match fault {
        // A shape that refuses unknown fields lists those it has; the reader quotes them with backticks.
        Fault::Field { path, problem } if problem.starts_with("must be `") => {
            let fields = problem.trim_start_matches("must be ");
            format!("{path}: cannot be changed; what can is {fields}")
        }
        Fault::Syntax { .. } => format!("invalid json: {fault}"),
        _ => fault.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_manager_api::{NewBroker, PlanPatch, PlatformPatch};

    fn refusal<T: DeserializeOwned>(body: &str) -> String {
        match read::<T>(body.as_bytes()) {
            Ok(_) => panic!("{body} was read"),
            Err(failure) => failure.description,
        }
    }

    #[test]
    fn what_is_wrong_is_named_by_its_place() {
        let cases = [
            ("", "the body is empty; it must be a JSON object"),
            (
                r#"{"name":"a","credentials":{"basic":{"username":"u","username":"v"}}}"#,
                "invalid json: duplicate key credentials.basic.username",
            ),
            (r#"{"broker_url":"x"}"#, "name: is required"),
            (
                r#"{"name":"a","broker_url":"x","credentials":{"basic":{"password":["hunter2"]}}}"#,
                "credentials.basic.password: must be a string",
            ),
        ];
        for (body, wanted) in cases {
            assert_eq!(refusal::<NewBroker>(body), wanted);
        }
        assert!(refusal::<NewBroker>("{").starts_with("invalid json: "));
        // Field by field a list would do; nobody means that.
        assert_eq!(
            refusal::<PlatformPatch>(r#"["name"]"#),
            "the body must be a JSON object"
        );
    }

    #[test]
    fn only_labels_of_a_plan_can_change() {
        let words = refusal::<PlanPatch>(r#"{"name":"x"}"#);
        assert_eq!(words, "name: cannot be changed; what can is `labels`");
    }

    #[test]
    fn unknown_fields_are_passed_over_and_null_changes_nothing() {
        assert!(read::<PlatformPatch>(br#"{"x":1}"#).is_ok());
        assert_eq!(
            read::<PlatformPatch>(b"null").unwrap(),
            PlatformPatch::default()
        );
    }
}
