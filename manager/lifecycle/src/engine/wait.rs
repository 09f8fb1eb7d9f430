//! When something is tried again: sooner at first, then ever later, and never all at once.

use crate::{Lifecycle, Osb};
use std::time::Duration;

/// How often it is looked whether a worker is done with an operation, before nobody waits any longer.
pub(crate) const LOOKS: u32 = 50;
/// How long to wait in between.
pub(crate) const BETWEEN: Duration = Duration::from_millis(20);
/// For the store, before and after the call.
const MARGIN: Duration = Duration::from_secs(2);

/// How often something is tried again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// How long to wait at first.
    pub(crate) first: Duration,
    /// How long to wait at most.
    pub(crate) slowest: Duration,
}

impl Pace {
    /// Of calls that failed.
    pub(crate) fn retry(settings: &Osb) -> Self {
        Self {
            first: settings.retry,
            slowest: settings.slowest,
        }
    }

    /// Of questions how the broker's work goes.
    pub(crate) fn poll(settings: &Osb, own: bool) -> Self {
        if own {
            Self {
                first: settings.poll,
                slowest: settings.slowest_poll,
            }
        } else {
            Self {
                first: settings.follow_after,
                slowest: settings.slowest,
            }
        }
    }

    /// Of the first look after something whose sender died.
    pub(crate) fn grace(settings: &Osb) -> Self {
        Self {
            first: settings.grace,
            slowest: settings.slowest,
        }
    }
}

/// `base`, doubled for every attempt, up to `most`, with up to a quarter more at random.
pub(crate) fn backoff(base: Duration, attempts: i64, most: Duration) -> Duration {
    let doubled = base.saturating_mul(1 << attempts.clamp(0, 16));
    jitter(doubled.min(most))
}

/// Up to a quarter more, at random.
pub(crate) fn jitter(base: Duration) -> Duration {
    let [byte, ..] = *uuid::Uuid::new_v4().as_bytes();
    base + base.mul_f64(f64::from(byte) / 1024.0)
}

impl Lifecycle {
    /// How long it can take whoever goes on with a deed to call the broker twice.
    pub fn two_calls(&self) -> Duration {
        self.settings.osb.call * 2 + MARGIN
    }

    /// No operation is put off for longer than this; a quarter is added at random to some waits.
    pub fn longest_wait(&self) -> Duration {
        let settings = &self.settings.osb;
        let asked_for = Duration::from_secs(super::judge::LONGEST_WAIT);
        let waits = [
            settings.follow_after,
            settings.grace,
            settings.retry,
            settings.slowest,
            asked_for,
        ];
        waits
            .into_iter()
            .fold(Duration::ZERO, Duration::max)
            .mul_f64(1.5)
    }

    /// How long a deed that calls a broker is held: longer than a call can take.
    pub(crate) fn hold(&self) -> Duration {
        let settings = &self.settings;
        settings.lease.max(settings.osb.call + MARGIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_and_ends_growing() {
        let base = Duration::from_secs(1);
        let most = Duration::from_secs(60);
        let wait = |attempts| backoff(base, attempts, most);
        assert!((base..=base.mul_f64(1.25)).contains(&wait(0)));
        assert!(wait(3) >= Duration::from_secs(8));
        assert!(wait(1_000) <= most.mul_f64(1.25));
        assert!(wait(-1) >= base);
    }
}
