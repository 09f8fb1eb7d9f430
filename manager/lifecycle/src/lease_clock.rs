//! The clock that leases and deadlines of operations and the next look at a catalog are counted by. Deeds read it through
//! [`Lifecycle::lease_now`](crate::Lifecycle::lease_now); the task that takes up operations sets it.
//!
//! The rule: it never jumps with the machine's clock. Setting the date must neither end the lease of somebody who is
//! at work nor keep the lease of somebody who is dead. Replicas share the database's clock; a manager that has its
//! database to itself takes the date once and counts on from there.

use qm_model::Time;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// An answer that came so fast says exactly enough what time it is.
const FAST: Duration = Duration::from_millis(100);

/// See the module.
pub(crate) struct LeaseClock(Mutex<Anchor>);

/// What time it was when.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    time: Time,
    at: Instant,
    /// How long the answer took that it is from.
    took: Duration,
}

impl LeaseClock {
    pub(crate) fn new(time: Time) -> Self {
        Self(Mutex::new(Anchor {
            time,
            at: Instant::now(),
            took: Duration::MAX,
        }))
    }

    pub(crate) fn now(&self) -> Time {
        let Anchor { time, at, took: _ } = *self.lock();
        time.plus(at.elapsed())
    }

    /// Somebody was asked then, and answered after so long that it is this time by the clock that all share. Slow
    /// answers count only while there was no better one: they would move the clock by as much as they took.
    pub(crate) fn set(&self, time: Time, asked: Instant, took: Duration) {
        let mut anchor = self.lock();
        if took <= anchor.took.max(FAST) {
            *anchor = Anchor {
                time,
                at: asked + took / 2,
                took,
            };
        }
    }

    /// A panic elsewhere leaves an anchor that is whole.
    fn lock(&self) -> MutexGuard<'_, Anchor> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_on_from_where_it_was_set() {
        let clock = LeaseClock::new(Time(1_000));
        assert!(clock.now() >= Time(1_000));
        clock.set(Time(100_000), Instant::now(), Duration::from_secs(2));
        let slow = clock.now();
        assert!((Time(99_000)..Time(200_000)).contains(&slow), "{slow}");
        clock.set(Time(500_000), Instant::now(), Duration::from_millis(1));
        assert!(clock.now() >= Time(499_000), "a better answer counts");
        clock.set(Time(900_000), Instant::now(), Duration::from_secs(1));
        assert!(clock.now() < Time(800_000), "a worse one does not");
        clock.set(Time(900_000), Instant::now(), FAST);
        assert!(clock.now() > Time(800_000), "one that is good enough does");
    }
}
