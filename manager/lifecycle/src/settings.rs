//! What an operator may set about deeds. The executable fills it from the configuration.

use std::collections::BTreeSet;
use std::time::Duration;

/// Settings of all deeds.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Of decisions.
    pub policy: qm_policy::Settings,
    /// Of logging in.
    pub identity: crate::identity::Settings,
    /// Labels that nobody may set through the API.
    pub protected_labels: BTreeSet<String>,
    /// How often a broker's catalog is looked at; a tenth of it is jitter.
    pub catalog_interval: Duration,
    /// How long a deed that lasts may be held without a sign of life.
    pub lease: Duration,
    /// After which a deed that lasts has failed.
    pub deadline: Duration,
    /// Whether the manager has a client certificate of its own to show to brokers.
    pub own_certificate: bool,
    /// This process among the replicas.
    pub replica: String,
}
