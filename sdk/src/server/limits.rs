//! What one client may take of the server. Every number is a choice and can be changed.

use std::time::Duration;

/// Limits of a [`Server`](super::Server).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Connections at a time. Above it, new ones wait unaccepted.
    pub connections: usize,
    /// The whole TLS handshake.
    pub handshake_time: Duration,
    /// The whole head of a request, and the wait for the next one on a kept connection.
    pub head_time: Duration,
    /// Bytes of a head, first line included. Above it the answer is 431.
    pub head_bytes: usize,
    /// The whole body of a request. How large it may be is the service's own rule.
    pub body_time: Duration,
    /// Running requests after the stop was asked for.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1024,
            handshake_time: Duration::from_secs(10),
            head_time: Duration::from_secs(30),
            head_bytes: 32 * 1024,
            body_time: Duration::from_secs(30),
            // Below the thirty seconds after which Kubernetes kills.
            grace: Duration::from_secs(25),
        }
    }
}
