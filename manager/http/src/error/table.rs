//! Which failure is answered how: the model's errors, and those that only a door can have.

use super::Failure;
use crate::encode::{date, told};
use http::{HeaderValue, StatusCode, header};
use qm_manager_api::error::word;
use qm_model::{Chain, Error};

/// Who may log in, and how: the token of a person, the pair of a platform.
const CHALLENGES: [&str; 2] = ["Bearer realm=\"quartermaster\"", BASIC];
const BASIC: &str = "Basic realm=\"quartermaster\", charset=\"UTF-8\"";

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status =
            StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut failure = Self::new(status, error.word(), error.to_string());
        match error {
            Error::Unauthenticated { .. } => {
                CHALLENGES.iter().fold(failure, |failure, challenge| {
                    let challenge = HeaderValue::from_static(challenge);
                    failure.with_header(header::WWW_AUTHENTICATE, challenge)
                })
            }
            // Never a number of seconds: a client in the field cuts the first nineteen characters off and
            // panics when there are fewer.
            Error::Throttled { until } => match HeaderValue::from_str(&date::http(until)) {
                Ok(moment) => failure.with_header(header::RETRY_AFTER, moment),
                Err(_) => failure,
            },
            // A state that forbids it, and nobody's want of a role: the old server has a word of its own.
            Error::Forbidden {
                rule: "created", ..
            } => {
                failure.word = word::UPDATE_NOT_ALLOWED;
                failure
            }
            Error::BrokerSaid { message: _, said } => {
                failure.broker_error = said.and_then(told::broker_error).map(Box::new);
                failure
            }
            Error::Internal { .. } | Error::Unavailable { .. } | Error::Broker { .. } => {
                failure.with_cause(Chain(&error).to_string())
            }
            _ => failure,
        }
    }
}

impl Failure {
    /// The same, without telling people to bring a token where only platforms are let in.
    #[must_use]
    pub(crate) fn for_platforms(mut self) -> Self {
        self.headers
            .retain(|(name, value)| name != header::WWW_AUTHENTICATE || value == BASIC);
        self
    }

    /// 400.
    pub(crate) fn bad_request(description: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, word::BAD_REQUEST, description)
    }

    /// 400 for a parameter that means nothing here.
    pub(crate) fn invalid_request(description: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, word::INVALID_REQUEST, description)
    }

    /// 404: no door has this path.
    pub(crate) fn no_such_path(path: &str) -> Self {
        let path: String = path.chars().take(200).collect();
        Self::new(
            StatusCode::NOT_FOUND,
            word::NOT_FOUND,
            format!("there is nothing at {path}; GET /openapi.json lists what there is"),
        )
    }

    /// 405: the path has a door, and it does not know the method. The router adds `Allow`.
    pub(crate) fn no_such_method(method: &http::Method) -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            word::BAD_REQUEST,
            format!("{method} means nothing here; the Allow header lists what does"),
        )
    }

    /// 408: the body did not come.
    pub(crate) fn too_slow() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            word::TIMEOUT,
            "the body came too slowly; send it at once",
        )
    }

    /// 413.
    pub(crate) fn too_large(limit: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            word::PAYLOAD_TOO_LARGE,
            format!("the body is larger than {limit} bytes"),
        )
    }

    /// 415.
    pub(crate) fn unsupported_media_type(found: &str) -> Self {
        let found: String = found.chars().take(100).collect();
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            word::UNSUPPORTED_MEDIA_TYPE,
            format!("the content type {found} is not understood; send application/json"),
        )
    }

    /// 503: the caller waited long enough.
    pub(crate) fn timeout() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            word::TIMEOUT,
            "operation has timed out; what was begun goes on, look before you repeat it",
        )
    }

    /// 503: too many at once.
    pub(crate) fn too_busy() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            word::SERVICE_UNAVAILABLE,
            "too many requests are under way; try again",
        )
    }

    /// 503: too many at one door.
    pub(crate) fn crowded() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            word::SERVICE_UNAVAILABLE,
            "too many requests to this service broker are under way; try again",
        )
    }

    /// 500: somebody panicked.
    pub(crate) fn panicked(what: impl Into<String>) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            word::INTERNAL_ERROR,
            "an internal error; the log has its cause under the correlation id",
        )
        .with_cause(what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_model::{Kind, Time};

    fn header<'f>(failure: &'f Failure, name: &http::HeaderName) -> Vec<&'f str> {
        let values = failure.headers.iter().filter(|(found, _)| found == name);
        values.map(|(_, value)| value.to_str().unwrap()).collect()
    }

    fn unauthenticated() -> Error {
        Error::Unauthenticated {
            message: "x".to_owned(),
        }
    }

    fn broker(status: u16) -> Error {
        Error::Broker {
            status,
            message: "x".to_owned(),
        }
    }

    #[test]
    fn every_error_has_its_status_and_word() {
        let forbidden = Error::Forbidden {
            rule: "role",
            message: "x".to_owned(),
        };
        let cases = [
            (Error::invalid("x"), 400, "BadRequest"),
            (unauthenticated(), 401, "Unauthorized"),
            (forbidden, 403, "Forbidden"),
            (Error::Missing(Kind::Broker), 404, "NotFound"),
            (Error::conflict(Kind::Broker, "x"), 409, "Conflict"),
            (Error::in_use("x"), 409, "ExistingReferenceEntity"),
            (Error::Gone("x".to_owned()), 410, "Gone"),
            (Error::Throttled { until: Time(0) }, 429, "BadRequest"),
            (Error::internal("secret"), 500, "InternalError"),
            (Error::NotImplemented("x".to_owned()), 501, "NotImplemented"),
            (broker(502), 502, "ServiceBrokerErr"),
            (broker(504), 504, "ServiceBrokerErr"),
            (Error::unavailable("x", "secret"), 503, "ServiceUnavailable"),
        ];
        for (error, status, word) in cases {
            let failure = Failure::from(error);
            assert_eq!((failure.status.as_u16(), failure.word), (status, word));
            assert!(!failure.description.contains("secret"));
        }
    }

    #[test]
    fn what_the_broker_said_is_for_the_caller_and_not_for_the_log() {
        let said = serde_json::json!({"StatusCode": 500, "ErrorMessage": null, "Description": "hunter2",
            "ResponseError": null});
        let failure = Failure::from(Error::BrokerSaid {
            message: "the broker answered 500".to_owned(),
            said: Some(qm_model::Secret::new(said)),
        });
        assert_eq!(
            (failure.status.as_u16(), failure.word),
            (502, "BrokerError")
        );
        assert!(!format!("{failure:?}").contains("hunter2"));
        let said = failure.broker_error.unwrap();
        assert_eq!(said.expose().description.as_deref(), Some("hunter2"));
    }

    #[test]
    fn a_missing_resource_is_named_as_the_old_server_did() {
        let failure = Failure::from(Error::Missing(Kind::Broker));
        assert_eq!(
            failure.description,
            "could not find such /v1/service_brokers"
        );
    }

    #[test]
    fn only_the_log_hears_the_cause() {
        let failure = Failure::from(Error::internal("the disk is at /secret"));
        assert!(failure.cause.is_some_and(|cause| cause.contains("/secret")));
    }

    #[test]
    fn who_must_log_in_is_told_how() {
        let failure = Failure::from(unauthenticated());
        assert_eq!(header(&failure, &header::WWW_AUTHENTICATE), CHALLENGES);
    }

    #[test]
    fn platforms_are_not_asked_for_a_token() {
        let failure = Failure::from(unauthenticated()).for_platforms();
        assert_eq!(header(&failure, &header::WWW_AUTHENTICATE), [BASIC]);
    }

    #[test]
    fn retry_after_is_a_date_of_at_least_nineteen_characters() {
        let until = Time(784_111_777_001);
        let failure = Failure::from(Error::Throttled { until });
        assert_eq!(
            header(&failure, &header::RETRY_AFTER),
            ["Sun, 06 Nov 1994 08:49:38 GMT"]
        );
    }
}
