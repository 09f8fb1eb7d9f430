//! No broker's door may hold more than half of the requests that may be under way at all. A broker that hangs fills
//! its share, and whoever asks it then is refused at once; the other half stays for the others.

use crate::{App, Failure, osb};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many are under way at each door. A door at which nobody is, is not there.
pub(super) struct Shares {
    most: usize,
    taken: Mutex<HashMap<String, usize>>,
}

impl Shares {
    pub(super) fn new(app: &App) -> Self {
        Self::of(app.settings.max_in_flight)
    }

    fn of(all: usize) -> Self {
        Self {
            most: all.div_ceil(2),
            taken: Mutex::default(),
        }
    }

    /// A place at the request's door for as long as it is held.
    pub(super) fn enter(&self, request: &Request) -> Result<Place<'_>, Response> {
        let (broker, _) = osb::split(request.uri().path()).unwrap_or_default();
        self.take(broker)
            .ok_or_else(|| Failure::crowded().into_response())
    }

    fn take(&self, broker: &str) -> Option<Place<'_>> {
        let mut taken = self.lock();
        match taken.get_mut(broker) {
            Some(count) if *count >= self.most => return None,
            Some(count) => *count += 1,
            None => {
                taken.insert(broker.to_owned(), 1);
            }
        }
        Some(Place {
            shares: self,
            broker: broker.to_owned(),
        })
    }

    /// A panic elsewhere leaves counts that are whole.
    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One request under way; given back when it is dropped, also by a caller who hangs up.
pub(super) struct Place<'s> {
    shares: &'s Shares,
    broker: String,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut taken = self.shares.lock();
        if let Some(count) = taken.get_mut(&self.broker) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.broker);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_door_fills_up_and_the_others_do_not() {
        let shares = Shares::of(4);
        let (first, second) = (shares.take("a"), shares.take("a"));
        assert!(first.is_some() && second.is_some());
        assert!(shares.take("a").is_none());
        let other = shares.take("b");
        assert!(other.is_some());
        drop(second);
        assert!(shares.take("a").is_some());
        drop((first, other));
        assert!(shares.lock().is_empty());
    }
}
