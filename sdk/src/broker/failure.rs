//! Why a verb did not happen, by what the platform can do about it.
//!
//! A refusal (4xx) says that nothing was done. Anything else says that something may have been done:
//! the framework keeps the record, so that a delete runs the author's cleanup.

use http::StatusCode;
use quartermaster_osb::{ErrorBody, ErrorWord};
use std::fmt;

/// Why a verb did not happen. Any `std::error::Error` becomes one with `?`: the platform then reads
/// a neutral sentence, the log has the cause.
pub struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) body: ErrorBody,
    pub(crate) cause: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Failure {
    /// 400: the request asks for something that cannot be. Say what to change.
    pub fn bad_request(description: impl Into<String>) -> Self {
        Self::with(StatusCode::BAD_REQUEST, ErrorBody::new(description))
    }

    /// 409: something else already has that name or id.
    pub fn conflict(description: impl Into<String>) -> Self {
        Self::with(StatusCode::CONFLICT, ErrorBody::new(description))
    }

    /// 422: understood, and not possible as things stand.
    pub fn refused(description: impl Into<String>) -> Self {
        Self::with(
            StatusCode::UNPROCESSABLE_ENTITY,
            ErrorBody::new(description),
        )
    }

    /// 422 with a word of the broker's own, for platforms that know it.
    pub fn refused_as(word: &str, description: impl Into<String>) -> Self {
        let word = ErrorWord::from(word.to_owned());
        Self::with(
            StatusCode::UNPROCESSABLE_ENTITY,
            ErrorBody::word(word, description),
        )
    }

    /// 422 `RequiresApp`: this service binds applications only.
    pub fn requires_app() -> Self {
        Self::with(
            StatusCode::UNPROCESSABLE_ENTITY,
            ErrorBody::word(
                ErrorWord::RequiresApp,
                "this service can be bound to an application only: send bind_resource.app_guid",
            ),
        )
    }

    /// 422 `ConcurrencyError`: something else is under way; try again.
    pub fn busy(description: impl Into<String>) -> Self {
        Self::with(
            StatusCode::UNPROCESSABLE_ENTITY,
            ErrorBody::word(ErrorWord::ConcurrencyError, description),
        )
    }

    /// 500 with a sentence for the platform. It must hold no secret.
    pub fn broken(description: impl Into<String>) -> Self {
        Self::with(
            StatusCode::INTERNAL_SERVER_ERROR,
            ErrorBody::new(description),
        )
    }

    /// Any other 4xx or 5xx; what is neither becomes 500.
    pub fn status(status: StatusCode, description: impl Into<String>) -> Self {
        let status = if status.is_client_error() || status.is_server_error() {
            status
        } else {
            StatusCode::INTERNAL_SERVER_ERROR
        };
        Self::with(status, ErrorBody::new(description))
    }

    /// A failed update or deprovision: the instance must not be used any more (2.16).
    #[must_use]
    pub fn instance_unusable(mut self) -> Self {
        self.body.instance_usable = Some(false);
        self
    }

    /// A failed update: sending the same again will not help (2.16).
    #[must_use]
    pub fn not_repeatable(mut self) -> Self {
        self.body.update_repeatable = Some(false);
        self
    }

    pub(crate) fn with(status: StatusCode, body: ErrorBody) -> Self {
        Self {
            status,
            body,
            cause: None,
        }
    }

    /// Whether it says that nothing was done.
    pub(crate) fn refuses(&self) -> bool {
        self.status.is_client_error()
    }

    pub(crate) fn text(&self) -> &str {
        self.body
            .description
            .as_deref()
            .unwrap_or("the broker could not do it")
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Failure({} {})", self.status.as_u16(), self.text())
    }
}

impl<E: std::error::Error + Send + Sync + 'static> From<E> for Failure {
    fn from(cause: E) -> Self {
        let mut failure = Self::broken("the broker met an error of its own; its log has the cause");
        failure.cause = Some(Box::new(cause));
        failure
    }
}
