//! The clock that leases and deadlines of operations and the next look at a catalog are counted by. Deeds read it through
//! [`Lifecycle::lease_now`](crate::Lifecycle::lease_now); the task that takes up operations sets it.
//!
//! The rule: it never jumps with the machine's clock. Setting the date must neither end the lease of somebody who is
//! at work nor keep the lease of somebody who is dead. Replicas share the database's clock; a manager that has its
//! database to itself takes the date once and counts on from there.

use qm_model::Time;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// See the module.
pub(crate) struct LeaseClock(Mutex<Anchor>);

/// What time it was when.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    time: Time,
    at: Instant,
}

impl LeaseClock {
    pub(crate) fn new(time: Time) -> Self {
        let at = Instant::now();
        Self(Mutex::new(Anchor { time, at }))
    }

    pub(crate) fn now(&self) -> Time {
        let Anchor { time, at } = *self.lock();
        time.plus(at.elapsed())
    }

    /// At that moment it was that time by the clock that all share.
    pub(crate) fn set(&self, time: Time, at: Instant) {
        *self.lock() = Anchor { time, at };
    }

    /// A panic elsewhere leaves an anchor that is whole.
    fn lock(&self) -> MutexGuard<'_, Anchor> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn it_goes_on_from_where_it_was_set() {
        let clock = LeaseClock::new(Time(1_000));
        assert!(clock.now() >= Time(1_000));
        let Some(earlier) = Instant::now().checked_sub(Duration::from_secs(5)) else {
            return;
        };
        clock.set(Time(100_000), earlier);
        assert!(clock.now() >= Time(105_000), "{}", clock.now());
    }
}
