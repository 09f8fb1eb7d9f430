//! The ten endpoints of the protocol by name. Everything that speaks about a call names it by this.

use std::fmt;

/// One endpoint of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// `GET /v2/catalog`
    Catalog,
    /// `PUT /v2/service_instances/{i}`
    Provision,
    /// `GET /v2/service_instances/{i}`
    FetchInstance,
    /// `PATCH /v2/service_instances/{i}`
    Update,
    /// `DELETE /v2/service_instances/{i}`
    Deprovision,
    /// `GET /v2/service_instances/{i}/last_operation`
    PollInstance,
    /// `PUT /v2/service_instances/{i}/service_bindings/{b}`, also for rotation
    Bind,
    /// `GET /v2/service_instances/{i}/service_bindings/{b}`
    FetchBinding,
    /// `DELETE /v2/service_instances/{i}/service_bindings/{b}`
    Unbind,
    /// `GET /v2/service_instances/{i}/service_bindings/{b}/last_operation`
    PollBinding,
}

impl Verb {
    /// Every endpoint, in the order of the specification.
    pub const ALL: [Self; 10] = [
        Self::Catalog,
        Self::Provision,
        Self::FetchInstance,
        Self::Update,
        Self::Deprovision,
        Self::PollInstance,
        Self::Bind,
        Self::FetchBinding,
        Self::Unbind,
        Self::PollBinding,
    ];

    /// A short stable word, for logs, metrics and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Catalog => "catalog",
            Self::Provision => "provision",
            Self::FetchInstance => "fetch_instance",
            Self::Update => "update",
            Self::Deprovision => "deprovision",
            Self::PollInstance => "poll_instance",
            Self::Bind => "bind",
            Self::FetchBinding => "fetch_binding",
            Self::Unbind => "unbind",
            Self::PollBinding => "poll_binding",
        }
    }

    /// Whether the call changes something at the broker.
    pub fn mutates(self) -> bool {
        matches!(
            self,
            Self::Provision | Self::Update | Self::Deprovision | Self::Bind | Self::Unbind
        )
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
