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
    /// Of calls at the OSB doors.
    pub osb: Osb,
    /// Of cascades.
    pub cascade: crate::cascade::Settings,
    /// Whether instances may move from their platforms to the manager.
    pub instance_transfer: bool,
    /// Whether the manager has a client certificate of its own to show to brokers.
    pub own_certificate: bool,
    /// This process among the replicas.
    pub replica: String,
}

/// Settings of what platforms do at the OSB doors.
#[derive(Debug, Clone)]
pub struct Osb {
    /// How long a call to a broker can take, waiting for its turn included.
    pub call: Duration,
    /// After which the manager asks by itself how an operation goes that a platform polls.
    pub follow_after: Duration,
    /// After which an operation of the manager's own is asked for first; longer and longer then.
    pub poll: Duration,
    /// How long to wait at most before it is asked for again.
    pub slowest_poll: Duration,
    /// How long what a failed creation may have left is kept for the platform, which may come back to it.
    pub grace: Duration,
    /// How long to wait before something is tried again, at first; doubled each time.
    pub retry: Duration,
    /// How long to wait at most.
    pub slowest: Duration,
    /// After which an operation has failed, if its plan does not say less.
    pub longest: Duration,
}

impl Default for Osb {
    fn default() -> Self {
        Self {
            call: Duration::from_secs(16),
            follow_after: Duration::from_secs(30),
            poll: Duration::from_secs(1),
            slowest_poll: Duration::from_secs(60),
            grace: Duration::from_secs(10),
            retry: Duration::from_secs(5),
            slowest: Duration::from_secs(300),
            longest: Duration::from_secs(7 * 24 * 3600),
        }
    }
}
