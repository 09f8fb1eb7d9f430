//! What went wrong, by what the caller can do about it. Deeds return it, doors turn it into an answer.
//!
//! The rule: `Display` is written for the caller and holds no secret and no cause; causes are for the log
//! and are printed by [`Chain`].

use crate::{Kind, Time};
use std::error::Error as StdError;
use std::fmt;

/// An error of the Service Manager.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request is wrong: mend it. 400.
    #[error("{message}")]
    Invalid {
        /// The `error` word on the wire.
        word: &'static str,
        /// What to change.
        message: String,
    },
    /// Say who you are. 401.
    #[error("{message}")]
    Unauthenticated {
        /// Why the proof was not taken.
        message: String,
    },
    /// We know who you are, and you may not. 403.
    #[error("{message}")]
    Forbidden {
        /// The rule that forbids it.
        rule: &'static str,
        /// Who could.
        message: String,
    },
    /// It is not there, or not for you to see. 404.
    #[error("could not find such {}", .0.path())]
    Missing(Kind),
    /// The same in words of its own. 404.
    #[error("{message}")]
    NotFound {
        /// The `error` word on the wire.
        word: &'static str,
        /// What is not there.
        message: String,
    },
    /// Something else is in the way: choose another name, look at what is there. 409.
    #[error("{message}")]
    Conflict {
        /// The `error` word on the wire.
        word: &'static str,
        /// What is in the way.
        message: String,
    },
    /// The revision is no longer kept: read everything anew. 410.
    #[error("{0}")]
    Gone(String),
    /// The state does not allow it now. 422.
    #[error("{message}")]
    Unprocessable {
        /// The `error` word on the wire.
        word: &'static str,
        /// What blocks it.
        message: String,
    },
    /// Too many calls: wait until then. 429.
    #[error("too many requests; try again at {until}")]
    Throttled {
        /// When the next one may come.
        until: Time,
    },
    /// A broker or an issuer did not do its part.
    #[error("{message}")]
    Broker {
        /// 502 unreachable or broken, 400 it refused or its answer is wrong, 504 too slow.
        status: u16,
        /// What it did.
        message: String,
    },
    /// A broker said no to what somebody asked for here, or broke on it. 502.
    #[error("{message}")]
    BrokerSaid {
        /// What it did, without its own words.
        message: String,
        /// Its own words, if it had any: they may hold anything, and are for whoever asked.
        said: Option<quartermaster_osb::Secret<serde_json::Value>>,
    },
    /// Asked for something that is switched off. 501.
    #[error("{0}")]
    NotImplemented(String),
    /// Not now: the store is away, full or stopping. Repeat later. 503.
    #[error("{message}")]
    Unavailable {
        /// What is away.
        message: String,
        /// For the log.
        #[source]
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
    /// A fault of ours. 500.
    #[error("an internal error; the log has its cause under the correlation id")]
    Internal {
        /// For the log.
        #[source]
        source: Box<dyn StdError + Send + Sync>,
    },
}

impl Error {
    /// A request that must be mended.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid {
            word: "BadRequest",
            message: message.into(),
        }
    }

    /// Something of this kind is already there.
    pub fn conflict(kind: Kind, what: impl fmt::Display) -> Self {
        Self::Conflict {
            word: "Conflict",
            message: format!("found conflicting {}: {what}", kind.path()),
        }
    }

    /// It cannot go because others stand on it.
    pub fn in_use(message: impl Into<String>) -> Self {
        Self::Conflict {
            word: "ExistingReferenceEntity",
            message: message.into(),
        }
    }

    /// A fault of ours.
    pub fn internal(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Internal {
            source: source.into(),
        }
    }

    /// The store is away.
    pub fn unavailable(
        message: impl Into<String>,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        Self::Unavailable {
            message: message.into(),
            source: Some(source.into()),
        }
    }

    /// The `error` word on the wire.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Invalid { word, .. }
            | Self::NotFound { word, .. }
            | Self::Conflict { word, .. }
            | Self::Unprocessable { word, .. } => word,
            Self::Unauthenticated { .. } => "Unauthorized",
            Self::Forbidden { .. } => "Forbidden",
            Self::Missing(_) => "NotFound",
            Self::Gone(_) => "Gone",
            // The old server's word; a client that tells errors apart looks at the code.
            Self::Throttled { .. } => "BadRequest",
            Self::Broker { .. } => "ServiceBrokerErr",
            Self::BrokerSaid { .. } => "BrokerError",
            Self::NotImplemented(_) => "NotImplemented",
            Self::Unavailable { .. } => "ServiceUnavailable",
            Self::Internal { .. } => "InternalError",
        }
    }

    /// The HTTP code. Kept here so that operations can store what a caller would have got.
    pub fn status(&self) -> u16 {
        match self {
            Self::Invalid { .. } => 400,
            Self::Unauthenticated { .. } => 401,
            Self::Forbidden { .. } => 403,
            Self::Missing(_) | Self::NotFound { .. } => 404,
            Self::Conflict { .. } => 409,
            Self::Gone(_) => 410,
            Self::Unprocessable { .. } => 422,
            Self::Throttled { .. } => 429,
            Self::Broker { status, .. } => *status,
            Self::BrokerSaid { .. } => 502,
            Self::NotImplemented(_) => 501,
            Self::Unavailable { .. } => 503,
            Self::Internal { .. } => 500,
        }
    }
}

impl From<crate::id::BadId> for Error {
    fn from(bad: crate::id::BadId) -> Self {
        Self::invalid(bad.to_string())
    }
}

/// Prints an error and its causes in one line: `a: b: c`. For logs and the terminal.
pub struct Chain<'a>(pub &'a (dyn StdError + 'static));

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caller_sees_no_cause_and_the_log_sees_all() {
        let error = Error::internal(Error::invalid("the disk is at /secret"));
        assert!(!error.to_string().contains("secret"));
        assert!(
            Chain(&error)
                .to_string()
                .ends_with(": the disk is at /secret")
        );
    }
}
