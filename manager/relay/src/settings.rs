//! What the operator decides about calls to the outside. The executable fills it in from its configuration
//! and hands it to [`Relay::new`](crate::Relay::new).
//!
//! The rule: every number has a default that is right for most, and [`check`](RelaySettings::check) refuses
//! those that would switch a protection off by accident.

use crate::breaker::BreakerSettings;
use crate::network::{self, Network};
use crate::sign::Signing;
use crate::tls::Identity;
use std::time::Duration;

/// Limits, timeouts and trust of all calls to brokers and issuers.
#[derive(Debug, Clone)]
pub struct RelaySettings {
    /// Until a connection stands: name resolution, TCP and TLS together.
    pub connect_timeout: Duration,
    /// From the start of a request until the head of its answer, connecting included.
    pub header_timeout: Duration,
    /// From the start of a call until the end of its answer's body, a token fetched for it included.
    pub total_timeout: Duration,
    /// How long an unused connection is kept.
    pub idle_timeout: Duration,
    /// The largest catalog, in bytes.
    pub catalog_limit: usize,
    /// The largest answer to any other call, in bytes.
    pub answer_limit: usize,
    /// How many calls to one broker may be under way.
    pub concurrency: usize,
    /// How long a call waits for its turn when that many are.
    pub queue_timeout: Duration,
    /// When a broker is left alone for a while.
    pub breaker: BreakerSettings,
    /// Authorities trusted besides those of this machine, PEM, any number in each text.
    pub extra_roots: Vec<String>,
    /// The manager's own client certificate, for brokers that are registered with it.
    pub identity: Option<Identity>,
    /// Takes any certificate from anybody. For experiments.
    pub skip_tls_verification: bool,
    /// Brokers may be called without TLS.
    pub plain_http: bool,
    /// Issuers may be asked without TLS; on this machine itself they always may.
    pub issuer_plain_http: bool,
    /// Where nobody is called, whatever name leads there.
    pub denied_networks: Vec<Network>,
    /// The key that signs the context of requests.
    pub signing: Option<Signing>,
}

impl Default for RelaySettings {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(5),
            header_timeout: Duration::from_secs(10),
            total_timeout: Duration::from_secs(15),
            idle_timeout: Duration::from_secs(30),
            catalog_limit: 4 * 1024 * 1024,
            answer_limit: 1024 * 1024,
            concurrency: 128,
            queue_timeout: Duration::from_secs(1),
            breaker: BreakerSettings::default(),
            extra_roots: Vec::new(),
            identity: None,
            skip_tls_verification: false,
            plain_http: true,
            issuer_plain_http: false,
            denied_networks: network::link_local(),
            signing: None,
        }
    }
}

/// Why settings cannot be used. The text names the setting and what to do.
#[derive(Debug, thiserror::Error)]
pub enum BadSettings {
    /// A number that would stop every call.
    #[error("{0} must be greater than zero")]
    Zero(&'static str),
    /// A text in `extra_roots` is no certificate.
    #[error("extra root certificate {number}: {reason}")]
    Root {
        /// Which text, from 1.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The manager's own certificate cannot be used.
    #[error("the manager's own client certificate cannot be used: {0}")]
    Identity(String),
    /// The key for signing cannot be used.
    #[error("the key that signs contexts cannot be used: {0}")]
    Signing(String),
}

impl RelaySettings {
    /// Refuses numbers that would stop every call.
    pub(crate) fn check(&self) -> Result<(), BadSettings> {
        let durations = [
            ("connect_timeout", self.connect_timeout),
            ("header_timeout", self.header_timeout),
            ("total_timeout", self.total_timeout),
        ];
        for (name, duration) in durations {
            if duration.is_zero() {
                return Err(BadSettings::Zero(name));
            }
        }
        let counts = [
            ("catalog_limit", self.catalog_limit),
            ("answer_limit", self.answer_limit),
            ("concurrency", self.concurrency),
            ("breaker.failures", self.breaker.failures as usize),
        ];
        for (name, count) in counts {
            if count == 0 {
                return Err(BadSettings::Zero(name));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_usable_and_zeros_are_not() {
        assert!(RelaySettings::default().check().is_ok());
        let bad = [
            RelaySettings {
                connect_timeout: Duration::ZERO,
                ..RelaySettings::default()
            },
            RelaySettings {
                concurrency: 0,
                ..RelaySettings::default()
            },
            RelaySettings {
                breaker: BreakerSettings {
                    failures: 0,
                    ..BreakerSettings::default()
                },
                ..RelaySettings::default()
            },
        ];
        for settings in bad {
            assert!(matches!(settings.check(), Err(BadSettings::Zero(_))));
        }
    }
}
