//! What an operator may set about the doors. The executable fills it from the configuration.

use crate::middleware::rate::RateSettings;
use qm_model::page::PageLimits;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Settings of all doors.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Bytes of a request's body; above it 413.
    pub max_body_bytes: usize,
    /// Requests at a time; above it 503.
    pub max_in_flight: usize,
    /// How long a caller waits for an answer; then 503. What was begun goes on.
    pub request_timeout: Duration,
    /// The same at the OSB doors. Must be longer than a broker may take.
    pub door_timeout: Duration,
    /// How long pages are.
    pub pages: PageLimits,
    /// How often one caller may come.
    pub rate: RateSettings,
    /// Query parameters that lists of offerings and plans refuse with 501.
    pub disabled_parameters: BTreeSet<String>,
    /// The supported versions of each agent, shown at `/v1/agents/versions`.
    pub agent_versions: BTreeMap<String, Vec<String>>,
    /// The address under which clients see this manager; what they came to when it is not said.
    pub public_url: Option<String>,
    /// Whether the listener speaks TLS.
    pub tls: bool,
    /// Whether `X-Forwarded-For`, `-Proto` and `-Host` are believed. Only behind a proxy that writes them.
    pub trust_forwarded_for: bool,
    /// Whether clients may log in at the token endpoint with Basic; told at `/v1/info`.
    pub token_basic_auth: bool,
    /// The tenant of the manager itself, told at `/v1/info`; empty when there is none.
    pub tenant_id: String,
    /// Whether `/metrics` is open to everybody; otherwise it needs a token with the role viewer.
    pub open_metrics: bool,
    /// How long a client of the notification stream may be silent.
    pub ping_timeout: Duration,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            max_body_bytes: 1024 * 1024,
            max_in_flight: 1024,
            request_timeout: Duration::from_secs(60),
            door_timeout: Duration::from_secs(75),
            pages: PageLimits::default(),
            rate: RateSettings::default(),
            disabled_parameters: BTreeSet::new(),
            agent_versions: BTreeMap::new(),
            public_url: None,
            tls: false,
            trust_forwarded_for: false,
            token_basic_auth: true,
            tenant_id: String::new(),
            open_metrics: true,
            ping_timeout: Duration::from_secs(30),
        }
    }
}
