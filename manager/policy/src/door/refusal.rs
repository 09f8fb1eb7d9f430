//! A no, with the rule that says it. Every function of the door gives one.

use qm_model::{Error, Kind};

/// A refusal. The rule is for logs and tests, the error for the caller.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct Refusal {
    /// The rule's name, as in `plan-visibility`.
    pub rule: &'static str,
    /// What the caller is answered.
    pub error: Error,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        refusal.error
    }
}

impl Refusal {
    /// 400: the request must be mended.
    pub(crate) fn invalid(rule: &'static str, what: &str) -> Self {
        Self {
            rule,
            error: Error::invalid(named(rule, what)),
        }
    }

    /// 400 with an `error` word of its own.
    pub(crate) fn invalid_as(rule: &'static str, word: &'static str, what: &str) -> Self {
        Self {
            rule,
            error: Error::Invalid {
                word,
                message: named(rule, what),
            },
        }
    }

    /// 401: this needs another proof.
    pub(crate) fn unauthenticated(rule: &'static str, what: &str) -> Self {
        Self {
            rule,
            error: Error::Unauthenticated {
                message: named(rule, what),
            },
        }
    }

    /// 404 in words of its own.
    pub(crate) fn not_found(rule: &'static str, word: &'static str, what: &str) -> Self {
        Self {
            rule,
            error: Error::NotFound {
                word,
                message: named(rule, what),
            },
        }
    }

    /// 404 in the words for what does not exist: the caller must not learn that it does.
    pub(crate) fn missing(rule: &'static str, kind: Kind) -> Self {
        Self {
            rule,
            error: Error::Missing(kind),
        }
    }
}

fn named(rule: &str, what: &str) -> String {
    format!("{what} (rule: {rule})")
}
