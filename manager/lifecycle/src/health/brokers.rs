//! How calls to brokers are going. Asked by the health doors.
//!
//! The rule: a broker that is away is not the manager's illness; it is shown and does not count against it.

use crate::Lifecycle;
pub use qm_relay::{BreakerState, BrokerState};

/// Every broker that was called lately.
pub fn brokers(deeds: &Lifecycle) -> Vec<BrokerState> {
    deeds.relay.states()
}
