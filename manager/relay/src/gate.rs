//! The gate in front of one broker: the breaker and the number of calls that may be under way.
//!
//! [`call`](crate::call) enters it before anything is sent. The rule: whoever got a [`Pass`] gives it back,
//! also when its task is dropped half way, so that neither a place nor the half-open breaker's one try is
//! ever lost.

use crate::RelayError;
use crate::breaker::{Breaker, BreakerSettings, BreakerState, Seen, Ticket};
use qm_model::id::BrokerId;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, SemaphorePermit};

/// The places of one broker. They outlive a change of its address or credentials: what hangs still counts.
#[derive(Debug)]
pub(crate) struct Places {
    semaphore: Semaphore,
    total: usize,
}

impl Places {
    pub(crate) fn new(total: usize) -> Self {
        let total = total.min(Semaphore::MAX_PERMITS);
        Self {
            semaphore: Semaphore::new(total),
            total,
        }
    }

    pub(crate) fn taken(&self) -> usize {
        self.total
            .saturating_sub(self.semaphore.available_permits())
    }
}

#[derive(Debug)]
pub(crate) struct Gate {
    broker: BrokerId,
    places: Arc<Places>,
    queue_timeout: Duration,
    watched: Mutex<Watched>,
}

#[derive(Debug)]
struct Watched {
    breaker: Breaker,
    /// The last failure since the last answer.
    problem: Option<String>,
}

impl Gate {
    pub(crate) fn new(
        broker: BrokerId,
        places: Arc<Places>,
        queue_timeout: Duration,
        breaker: BreakerSettings,
    ) -> Self {
        Self {
            broker,
            places,
            queue_timeout,
            watched: Mutex::new(Watched {
                breaker: Breaker::new(breaker),
                problem: None,
            }),
        }
    }

    /// Lets a call through, after a short wait if the broker is busy.
    pub(crate) async fn enter(&self) -> Result<Pass<'_>, RelayError> {
        let ticket = self.ask()?;
        // From here on, giving up gives the ticket back.
        let mut pass = Pass {
            gate: self,
            ticket: Some(ticket),
            place: None,
        };
        pass.place = Some(match self.places.semaphore.try_acquire() {
            Ok(place) => place,
            Err(_) => self.queue().await?,
        });
        Ok(pass)
    }

    async fn queue(&self) -> Result<SemaphorePermit<'_>, RelayError> {
        let place = self.places.semaphore.acquire();
        let Ok(Ok(place)) = tokio::time::timeout(self.queue_timeout, place).await else {
            return Err(RelayError::Busy {
                message: format!(
                    "{} calls to this service broker are under way and no more are allowed; it \
                     answers too slowly or too much is asked of it at once; try again later",
                    self.places.total
                ),
            });
        };
        Ok(place)
    }

    pub(crate) fn places(&self) -> &Arc<Places> {
        &self.places
    }

    /// The breaker's state, and what failed when it is not closed.
    pub(crate) fn state(&self) -> (BreakerState, Option<String>) {
        let watched = self.watched();
        (
            watched.breaker.state(Instant::now()),
            watched.problem.clone(),
        )
    }

    fn ask(&self) -> Result<Ticket, RelayError> {
        let now = Instant::now();
        let mut watched = self.watched();
        let asked = watched.breaker.ask(now);
        asked.map_err(|wait| {
            let problem = watched
                .problem
                .as_deref()
                .unwrap_or("its last calls failed");
            let when = match wait.as_secs() {
                0 => "a moment".to_owned(),
                secs => format!("{} s", secs + 1),
            };
            RelayError::Open {
                message: format!(
                    "{problem}; this happened to all of its last calls, so it is left alone and \
                     tried again in {when}"
                ),
                wait,
            }
        })
    }

    fn report(&self, ticket: Ticket, seen: Seen, problem: Option<String>) {
        let now = Instant::now();
        let mut watched = self.watched();
        match seen {
            Seen::Answered => watched.problem = None,
            Seen::Failed => watched.problem = problem,
            Seen::Nothing => {}
        }
        let Some(changed) = watched.breaker.report(ticket, seen, now) else {
            return;
        };
        let problem = watched.problem.clone().unwrap_or_default();
        drop(watched);
        match changed {
            BreakerState::Open => {
                tracing::warn!(broker = %self.broker, problem, "the breaker opened: the broker is left alone for a while");
            }
            state => {
                tracing::info!(broker = %self.broker, state = state.as_str(), "the breaker changed");
            }
        }
    }

    fn watched(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that is under way.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    gate: &'a Gate,
    ticket: Option<Ticket>,
    place: Option<SemaphorePermit<'a>>,
}

impl Pass<'_> {
    /// Says how the call ended.
    pub(crate) fn leave<T>(mut self, result: &Result<T, RelayError>) {
        let Some(ticket) = self.ticket.take() else {
            return;
        };
        match result {
            Err(error) if error.is_transport() => {
                self.gate
                    .report(ticket, Seen::Failed, Some(error.to_string()));
            }
            _ => self.gate.report(ticket, Seen::Answered, None),
        }
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket.take() {
            self.gate.report(ticket, Seen::Nothing, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(places: usize, pause: Duration) -> Gate {
        Gate::new(
            BrokerId::new("b").unwrap(),
            Arc::new(Places::new(places)),
            Duration::ZERO,
            BreakerSettings { failures: 1, pause },
        )
    }

    fn failure() -> Result<(), RelayError> {
        Err(RelayError::Slow {
            message: "too slow".to_owned(),
        })
    }

    #[tokio::test]
    async fn a_full_broker_is_busy_and_a_place_comes_back() {
        let gate = gate(1, Duration::ZERO);
        let pass = gate.enter().await.unwrap();
        assert_eq!(gate.places().taken(), 1);
        assert!(matches!(gate.enter().await, Err(RelayError::Busy { .. })));
        drop(pass);
        assert_eq!(gate.places().taken(), 0);
        assert!(gate.enter().await.is_ok());
    }

    #[tokio::test]
    async fn an_open_gate_names_the_last_failure() {
        let gate = gate(1, Duration::from_secs(3600));
        gate.enter().await.unwrap().leave(&failure());
        assert_eq!(
            gate.state(),
            (BreakerState::Open, Some("too slow".to_owned()))
        );
        let error = gate.enter().await.unwrap_err();
        assert_eq!(error.status(), 503);
        assert!(error.to_string().starts_with("too slow; "), "{error}");
        assert_eq!(gate.places().taken(), 0);
    }

    #[tokio::test]
    async fn a_try_that_was_dropped_is_not_the_last_one() {
        let gate = gate(2, Duration::ZERO);
        gate.enter().await.unwrap().leave(&failure());
        let first = gate.enter().await.unwrap();
        assert!(matches!(gate.enter().await, Err(RelayError::Open { .. })));
        drop(first);
        gate.enter().await.unwrap().leave(&Ok(()));
        assert_eq!(gate.state(), (BreakerState::Closed, None));
    }

    #[tokio::test]
    async fn a_try_that_found_no_place_is_given_back() {
        let gate = gate(1, Duration::ZERO);
        let hanging = gate.enter().await.unwrap();
        let ticket = gate.ask().unwrap();
        gate.report(ticket, Seen::Failed, None);
        assert!(matches!(gate.enter().await, Err(RelayError::Busy { .. })));
        drop(hanging);
        gate.enter().await.unwrap().leave(&Ok(()));
        assert_eq!(gate.state().0, BreakerState::Closed);
    }
}
