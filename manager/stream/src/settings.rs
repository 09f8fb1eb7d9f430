//! What an operator may set about the stream. The executable fills it from the configuration.

use std::time::Duration;

/// Settings of the stream.
#[derive(Debug, Clone)]
pub struct StreamSettings {
    /// How many messages may wait for one subscriber, and how many it may have missed before it must read
    /// everything anew.
    pub queue: usize,
    /// How often the store is asked for what other replicas have committed.
    pub poll: Duration,
    /// How long a new subscriber waits for the store.
    pub patience: Duration,
}

impl Default for StreamSettings {
    fn default() -> Self {
        Self {
            queue: 100,
            poll: Duration::from_millis(100),
            patience: Duration::from_secs(5),
        }
    }
}
