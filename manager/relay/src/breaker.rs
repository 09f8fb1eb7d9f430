//! The circuit breaker: leaves a broker alone that cannot be reached.
//!
//! [`gate`](crate::gate) asks it before each call and reports after it. It is a pure state machine; the
//! present is handed in. The rule: only the way to the broker counts, whatever answers is there; and a
//! report counts only in the phase in which its call was let through, so that calls that were under way when
//! the breaker opened neither open it anew nor close it.
//!
//! ```text
//! closed --N failures in a row--> open --pause over, next call--> half open --answer--> closed
//!                                   ^------------failure--------------'
//! ```

use std::time::{Duration, Instant};

/// When a broker is left alone.
#[derive(Debug, Clone, Copy)]
pub struct BreakerSettings {
    /// After so many calls in a row that could not reach it.
    pub failures: u32,
    /// For so long; then one call is let through to see.
    pub pause: Duration,
}

impl Default for BreakerSettings {
    fn default() -> Self {
        Self {
            failures: 5,
            pause: Duration::from_secs(10),
        }
    }
}

/// Whether calls are let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakerState {
    /// All.
    Closed,
    /// One, to see.
    HalfOpen,
    /// None.
    Open,
}

impl BreakerState {
    /// The word for health and logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::HalfOpen => "half open",
            Self::Open => "open",
        }
    }
}

/// What a call saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// An answer, good or bad.
    Answered,
    /// No way to the broker, or no whole answer.
    Failed,
    /// Nothing: it was given up before the broker was asked.
    Nothing,
}

/// A call that was let through. Goes back with [`Breaker::report`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ticket {
    epoch: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Closed { failures: u32 },
    Open { until: Instant },
    HalfOpen { trying: bool },
}

#[derive(Debug)]
pub(crate) struct Breaker {
    settings: BreakerSettings,
    phase: Phase,
    /// Changes with the phase; a ticket of another epoch is of the past.
    epoch: u64,
}

impl Breaker {
    pub(crate) fn new(settings: BreakerSettings) -> Self {
        Self {
            settings,
            phase: Phase::Closed { failures: 0 },
            epoch: 0,
        }
    }

    /// Lets a call through, or says how long not. Zero: until the call ends that is trying now.
    pub(crate) fn ask(&mut self, now: Instant) -> Result<Ticket, Duration> {
        match self.phase {
            Phase::Closed { .. } => {}
            Phase::Open { until } if now < until => return Err(until - now),
            Phase::Open { .. } => self.turn(Phase::HalfOpen { trying: true }),
            Phase::HalfOpen { trying: true } => return Err(Duration::ZERO),
            Phase::HalfOpen { trying: false } => self.phase = Phase::HalfOpen { trying: true },
        }
        Ok(Ticket { epoch: self.epoch })
    }

    /// Takes note of what a call saw. Returns the new state when it changed.
    pub(crate) fn report(
        &mut self,
        ticket: Ticket,
        seen: Seen,
        now: Instant,
    ) -> Option<BreakerState> {
        if ticket.epoch != self.epoch {
            return None;
        }
        match (self.phase, seen) {
            (Phase::Closed { .. }, Seen::Answered) => self.phase = Phase::Closed { failures: 0 },
            (Phase::Closed { failures }, Seen::Failed) => {
                let failures = failures.saturating_add(1);
                if failures < self.settings.failures {
                    self.phase = Phase::Closed { failures };
                } else {
                    return Some(self.open(now));
                }
            }
            (Phase::HalfOpen { .. }, Seen::Answered) => {
                self.turn(Phase::Closed { failures: 0 });
                return Some(BreakerState::Closed);
            }
            (Phase::HalfOpen { .. }, Seen::Failed) => return Some(self.open(now)),
            (Phase::HalfOpen { .. }, Seen::Nothing) => {
                self.phase = Phase::HalfOpen { trying: false };
            }
            // Open: every ticket is of an earlier epoch.
            (Phase::Closed { .. }, Seen::Nothing) | (Phase::Open { .. }, _) => {}
        }
        None
    }

    /// What the next call would meet.
    pub(crate) fn state(&self, now: Instant) -> BreakerState {
        match self.phase {
            Phase::Closed { .. } => BreakerState::Closed,
            Phase::Open { until } if now < until => BreakerState::Open,
            Phase::Open { .. } | Phase::HalfOpen { .. } => BreakerState::HalfOpen,
        }
    }

    fn open(&mut self, now: Instant) -> BreakerState {
        // A pause beyond the end of time is a mistake in the configuration; a day is as good.
        let until = now
            .checked_add(self.settings.pause)
            .unwrap_or_else(|| now + Duration::from_secs(86_400));
        self.turn(Phase::Open { until });
        BreakerState::Open
    }

    fn turn(&mut self, phase: Phase) {
        self.phase = phase;
        self.epoch += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_secs(10);

    fn at(phase: Phase) -> Breaker {
        let settings = BreakerSettings {
            failures: 3,
            pause: PAUSE,
        };
        Breaker {
            phase,
            epoch: 7,
            ..Breaker::new(settings)
        }
    }

    #[test]
    fn every_row_of_asking() {
        let now = Instant::now();
        let (soon, past) = (now + Duration::from_secs(4), now);
        let trying = Phase::HalfOpen { trying: true };
        let waiting = Phase::HalfOpen { trying: false };
        let rows = [
            (
                Phase::Closed { failures: 0 },
                Ok(7),
                Phase::Closed { failures: 0 },
            ),
            (
                Phase::Closed { failures: 2 },
                Ok(7),
                Phase::Closed { failures: 2 },
            ),
            (
                Phase::Open { until: soon },
                Err(Duration::from_secs(4)),
                Phase::Open { until: soon },
            ),
            (Phase::Open { until: past }, Ok(8), trying),
            (trying, Err(Duration::ZERO), trying),
            (waiting, Ok(7), trying),
        ];
        for (before, wanted, after) in rows {
            let mut breaker = at(before);
            let got = breaker.ask(now).map(|ticket| ticket.epoch);
            assert_eq!((got, breaker.phase), (wanted, after), "{before:?}");
        }
    }

    #[test]
    fn every_row_of_reporting() {
        let now = Instant::now();
        let open = Phase::Open { until: now + PAUSE };
        let other = Phase::Open { until: now };
        let closed = |failures| Phase::Closed { failures };
        let trying = Phase::HalfOpen { trying: true };
        let rows = [
            (closed(0), Seen::Answered, None, closed(0)),
            (closed(2), Seen::Answered, None, closed(0)),
            (closed(0), Seen::Failed, None, closed(1)),
            (closed(1), Seen::Failed, None, closed(2)),
            (closed(2), Seen::Failed, Some(BreakerState::Open), open),
            (closed(2), Seen::Nothing, None, closed(2)),
            (
                trying,
                Seen::Answered,
                Some(BreakerState::Closed),
                closed(0),
            ),
            (trying, Seen::Failed, Some(BreakerState::Open), open),
            (
                trying,
                Seen::Nothing,
                None,
                Phase::HalfOpen { trying: false },
            ),
            (other, Seen::Answered, None, other),
            (other, Seen::Failed, None, other),
            (other, Seen::Nothing, None, other),
        ];
        for (before, seen, wanted, after) in rows {
            let mut breaker = at(before);
            let got = breaker.report(Ticket { epoch: 7 }, seen, now);
            assert_eq!((got, breaker.phase), (wanted, after), "{before:?} {seen:?}");
            let changed = wanted.is_some();
            assert_eq!(breaker.epoch != 7, changed, "{before:?} {seen:?}");
        }
    }

    #[test]
    fn a_report_of_the_past_changes_nothing() {
        let now = Instant::now();
        for phase in [
            Phase::Closed { failures: 2 },
            Phase::Open { until: now },
            Phase::HalfOpen { trying: true },
        ] {
            for seen in [Seen::Answered, Seen::Failed, Seen::Nothing] {
                let mut breaker = at(phase);
                assert_eq!(breaker.report(Ticket { epoch: 6 }, seen, now), None);
                assert_eq!(breaker.phase, phase);
            }
        }
    }

    #[test]
    fn shows_what_the_next_call_would_meet() {
        let now = Instant::now();
        let rows = [
            (Phase::Closed { failures: 2 }, BreakerState::Closed),
            (Phase::Open { until: now + PAUSE }, BreakerState::Open),
            (Phase::Open { until: now }, BreakerState::HalfOpen),
            (Phase::HalfOpen { trying: true }, BreakerState::HalfOpen),
        ];
        for (phase, wanted) in rows {
            assert_eq!(at(phase).state(now), wanted, "{phase:?}");
        }
    }
}
