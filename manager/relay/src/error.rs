//! Why a call to the outside gave nothing, by what the caller can do about it.
//!
//! Every file of this crate makes them; deeds pass them on as [`qm_model::Error`]. The rule: a message says
//! what failed and what to do, and never holds a secret, a body, or a word that the other side chose. The
//! cause is for the log, and [`call`](crate::call) writes it there.

use quartermaster_osb::Outcome;
use std::error::Error as StdError;
use std::time::Duration;

/// What a cause is kept as.
pub(crate) type Cause = Box<dyn StdError + Send + Sync>;

/// Why there is no usable answer.
#[derive(Debug, thiserror::Error)]
pub enum RelayError {
    /// Nothing was sent: the address or the credentials cannot be used. Mend the registration.
    #[error("{message}")]
    Invalid {
        /// What to mend.
        message: String,
    },
    /// Nothing was sent: there is no connection. Mend the address, the network or the broker.
    #[error("{message}")]
    Unreachable {
        /// How far it got.
        message: String,
        /// For the log.
        #[source]
        source: Option<Cause>,
    },
    /// The two sides do not trust each other. Mend certificates.
    #[error("{message}")]
    Tls {
        /// Which certificate, and how.
        message: String,
        /// For the log.
        #[source]
        source: Option<Cause>,
    },
    /// The request may have been worked on, and no whole answer came.
    #[error("{message}")]
    Lost {
        /// How it ended.
        message: String,
        /// For the log.
        #[source]
        source: Option<Cause>,
    },
    /// The answer began and did not end in time.
    #[error("{message}")]
    Slow {
        /// How long was waited.
        message: String,
    },
    /// An answer that says no.
    #[error("{message}")]
    Refused {
        /// The status of the answer.
        code: u16,
        /// What that means and what to do.
        message: String,
    },
    /// An answer that says yes and is not what it must be.
    #[error("{message}")]
    Undecodable {
        /// What is wrong with it.
        message: String,
    },
    /// An answer of which more came than is read. What was asked for may have been done.
    #[error("{message}")]
    Oversized {
        /// How much is read.
        message: String,
    },
    /// Nothing was sent to the broker: there is no token to show it. The inner one is about its token endpoint.
    #[error(transparent)]
    Token(Box<RelayError>),
    /// Nothing was sent: too many calls to the same broker are under way. Repeat.
    #[error("{message}")]
    Busy {
        /// How many.
        message: String,
    },
    /// Nothing was sent: the last calls all failed, and the broker is left alone for a while.
    #[error("{message}")]
    Open {
        /// What failed, and when the next call is let through.
        message: String,
        /// How long until then.
        wait: Duration,
    },
}

impl RelayError {
    /// The status that a caller of ours gets.
    pub fn status(&self) -> u16 {
        match self {
            Self::Invalid { .. } | Self::Refused { .. } | Self::Undecodable { .. } => 400,
            Self::Unreachable { .. }
            | Self::Tls { .. }
            | Self::Lost { .. }
            | Self::Oversized { .. } => 502,
            Self::Token(error) => error.status(),
            Self::Busy { .. } | Self::Open { .. } => 503,
            Self::Slow { .. } => 504,
        }
    }

    /// A short stable word for metrics and logs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "invalid",
            Self::Unreachable { .. } => "unreachable",
            Self::Tls { .. } => "tls",
            Self::Lost { .. } => "lost",
            Self::Slow { .. } => "slow",
            Self::Refused { .. } => "refused",
            Self::Undecodable { .. } => "undecodable",
            Self::Oversized { .. } => "oversized",
            Self::Token(error) => error.word(),
            Self::Busy { .. } => "busy",
            Self::Open { .. } => "open",
        }
    }

    /// What a call that ended so means for what was asked: whether the broker may have done it.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Invalid { .. }
            | Self::Unreachable { .. }
            | Self::Tls { .. }
            | Self::Token(_)
            | Self::Busy { .. }
            | Self::Open { .. } => Outcome::NotSent,
            Self::Lost { .. }
            | Self::Slow { .. }
            | Self::Refused { .. }
            | Self::Undecodable { .. }
            | Self::Oversized { .. } => Outcome::Lost,
        }
    }

    /// Whether the way to the other side failed; whatever answers, even badly, is there.
    pub(crate) fn is_transport(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::Tls { .. } | Self::Lost { .. } | Self::Slow { .. } => {
                true
            }
            Self::Token(error) => error.is_transport(),
            Self::Invalid { .. }
            | Self::Refused { .. }
            | Self::Undecodable { .. }
            | Self::Oversized { .. }
            | Self::Busy { .. }
            | Self::Open { .. } => false,
        }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid {
            message: message.into(),
        }
    }

    /// The same about a call that may have changed something: an answer that was not read whole does not mean
    /// that nothing was done, and its caller did nothing wrong.
    pub(crate) fn about_an_answer(self) -> Self {
        match self {
            Self::Undecodable { message } => Self::Oversized { message },
            other => other,
        }
    }

    pub(crate) fn undecodable(message: impl Into<String>) -> Self {
        Self::Undecodable {
            message: message.into(),
        }
    }
}

impl From<RelayError> for qm_model::Error {
    fn from(error: RelayError) -> Self {
        match error {
            RelayError::Invalid { message } => Self::invalid(message),
            other => Self::Broker {
                status: other.status(),
                message: other.to_string(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_gets_the_status_and_no_cause() {
        let error = RelayError::Lost {
            message: "it went away".to_owned(),
            source: Some("hunter2".into()),
        };
        assert!(error.is_transport());
        let error = qm_model::Error::from(error);
        assert_eq!(
            (error.status(), error.to_string()),
            (502, "it went away".to_owned())
        );
        assert_eq!(error.word(), "ServiceBrokerErr");
        let error = qm_model::Error::from(RelayError::invalid("mend it"));
        assert_eq!((error.status(), error.word()), (400, "BadRequest"));
    }

    #[test]
    fn without_a_token_nothing_was_sent() {
        let lost = || RelayError::Lost {
            message: "the token endpoint went away".to_owned(),
            source: None,
        };
        assert_eq!(lost().outcome(), Outcome::Lost);
        let error = RelayError::Token(Box::new(lost()));
        assert_eq!(error.outcome(), Outcome::NotSent);
        assert_eq!((error.status(), error.word()), (502, "lost"));
        assert_eq!(error.to_string(), "the token endpoint went away");
    }
}
