//! What an operator may set about cascades.

use std::time::Duration;

/// Settings of cascades.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How many deletions of one cascade are sent to brokers at the same time.
    pub at_once: usize,
    /// How long a forced deletion is tried before the record goes without the broker's word.
    pub force_deadline: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            at_once: 20,
            force_deadline: Duration::from_secs(60),
        }
    }
}
