//! How often and how long. The executable fills it from the configuration.

use std::time::Duration;

/// Settings of all tasks.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How often other replicas' changes are looked for.
    pub follow_every: Duration,
    /// How often deeds of dead processes are looked for.
    pub take_up_every: Duration,
    /// How long a deed taken up is held without a sign of life.
    pub lease: Duration,
    /// How often it is looked whether a broker's catalog is due.
    pub refresh_every: Duration,
    /// How long after a look the next one is due; up to a tenth is added at random.
    pub catalog_interval: Duration,
    /// How many catalogs are fetched at once.
    pub catalogs_at_once: usize,
    /// How often old events are removed.
    pub trim_every: Duration,
    /// How long events are kept.
    pub keep_events: Duration,
    /// How many events are kept; `None`: any number.
    pub events_at_most: Option<u64>,
    /// How often old operations and logins are removed.
    pub expire_every: Duration,
    /// How long the records of ended operations are kept.
    pub keep_operations: Duration,
    /// How long those are kept whose resource is gone.
    pub keep_operations_of_gone: Duration,
    /// How many records of operations are kept; `None`: any number.
    pub operations_at_most: Option<u64>,
    /// How long audit records are kept; `None`: for ever.
    pub keep_audit: Option<Duration>,
    /// How many audit records are kept; `None`: any number.
    pub audit_at_most: Option<u64>,
    /// How often the gauges are read from the store.
    pub measure_every: Duration,
    /// This process among the replicas.
    pub replica: String,
}
