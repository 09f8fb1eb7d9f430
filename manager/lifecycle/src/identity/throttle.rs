//! Slows down whoever guesses passwords, by user name and by address. Logins call it before they look at a
//! password.
//!
//! The rule: an attempt counts as failed from its beginning until it has succeeded, so guesses made at the
//! same time count too. Waits double and end; the longest wait for a name is short, or anybody could keep
//! somebody out. Kept in this process and bounded.

use super::settings::Limits;
use qm_model::Time;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many names and addresses are remembered.
const MOST: usize = 10_000;

/// Failed logins.
pub(super) struct Throttle {
    limits: Limits,
    tries: Mutex<HashMap<Who, Tries>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Who {
    Name(String),
    Address(String),
}

#[derive(Debug, Clone, Copy)]
struct Tries {
    failed: u32,
    last: Time,
    until: Time,
}

/// An attempt under way.
#[derive(Debug)]
#[must_use]
pub(super) struct Attempt {
    name: Who,
    address: Who,
}

impl Throttle {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            tries: Mutex::default(),
        }
    }

    /// Begins an attempt, or says when the next one may come.
    pub(super) fn begin(&self, name: &str, remote: &str, now: Time) -> Result<Attempt, Time> {
        let attempt = Attempt {
            name: Who::Name(name.to_owned()),
            address: Who::Address(address(remote)),
        };
        let mut tries = self.lock();
        let whos = [&attempt.name, &attempt.address];
        let waits = whos.map(|who| tries.get(who).and_then(|tries| self.wait(who, *tries, now)));
        if let Some(until) = waits.into_iter().flatten().max() {
            return Err(until);
        }
        for who in whos {
            make_room(&mut tries, who);
            let longest = self.longest(who);
            let entry = tries.entry(who.clone()).or_insert(Tries {
                failed: 0,
                last: now,
                until: now,
            });
            // Long ago is forgotten; so is what a clock that was set back left in the future.
            if now.since(entry.last).max(entry.last.since(now)) > longest.saturating_mul(2) {
                entry.failed = 0;
            }
            entry.failed = entry.failed.saturating_add(1);
            entry.last = now;
            entry.until = now.plus(self.backoff(who, entry.failed));
        }
        Ok(attempt)
    }

    /// The attempt was good: the name starts anew, the address is back to where it was.
    pub(super) fn succeeded(&self, attempt: &Attempt, now: Time) {
        let mut tries = self.lock();
        tries.remove(&attempt.name);
        if let Some(entry) = tries.get_mut(&attempt.address) {
            entry.failed = entry.failed.saturating_sub(1);
            entry.until = now;
        }
    }

    /// Until when somebody has to wait.
    fn wait(&self, who: &Who, tries: Tries, now: Time) -> Option<Time> {
        let left = tries.until.since(now);
        // More than the longest wait is no wait of ours: the clock was set back.
        (!left.is_zero() && left <= self.longest(who)).then_some(tries.until)
    }

    fn backoff(&self, who: &Who, failed: u32) -> Duration {
        let free = match who {
            Who::Name(_) => self.limits.free,
            Who::Address(_) => self.limits.free.saturating_mul(self.limits.address_factor),
        };
        let Some(beyond) = failed.checked_sub(free).filter(|beyond| *beyond > 0) else {
            return Duration::ZERO;
        };
        let doubled = 2u32.saturating_pow(beyond - 1);
        self.limits
            .first_wait
            .saturating_mul(doubled)
            .min(self.longest(who))
    }

    fn longest(&self, who: &Who) -> Duration {
        match who {
            Who::Name(_) => self.limits.longest_for_name,
            Who::Address(_) => self.limits.longest_for_address,
        }
    }

    /// A panic elsewhere leaves a map that is whole.
    fn lock(&self) -> MutexGuard<'_, HashMap<Who, Tries>> {
        self.tries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes room for one more by forgetting whoever failed longest ago.
fn make_room(tries: &mut HashMap<Who, Tries>, who: &Who) {
    if tries.len() < MOST || tries.contains_key(who) {
        return;
    }
    let oldest = tries
        .iter()
        .min_by_key(|(_, tries)| tries.last)
        .map(|(who, _)| who.clone());
    if let Some(oldest) = oldest {
        tries.remove(&oldest);
    }
}

/// The address without its port; of IPv6 the network, since a host has as many addresses as it likes.
fn address(remote: &str) -> String {
    let ip = remote
        .parse::<SocketAddr>()
        .map(|socket| socket.ip())
        .or_else(|_| remote.parse::<IpAddr>());
    match ip.map(|ip| ip.to_canonical()) {
        Ok(IpAddr::V6(ip)) => {
            let [a, b, c, d, ..] = ip.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).to_string()
        }
        Ok(ip) => ip.to_string(),
        Err(_) => remote.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn throttle() -> Throttle {
        Throttle::new(Limits {
            free: 2,
            address_factor: 2,
            first_wait: Duration::from_millis(10),
            longest_for_name: Duration::from_millis(40),
            longest_for_address: Duration::from_millis(80),
        })
    }

    #[test]
    fn waits_double_for_a_name_and_end() {
        let throttle = throttle();
        let mut now = Time(1000);
        let mut waits = Vec::new();
        for n in 0..10 {
            // Each from elsewhere: only the name is in the way.
            if let Err(until) = throttle.begin("ann", &format!("192.0.2.{n}:1"), now) {
                waits.push(until.since(now).as_millis());
                now = until;
            }
        }
        assert_eq!(waits, [10, 20, 40, 40]);
        assert!(throttle.begin("bob", "203.0.113.1", now).is_ok());
    }

    #[test]
    fn an_address_that_tries_many_names_waits() {
        let throttle = throttle();
        let now = Time(1000);
        for n in 0..5 {
            let _ = throttle
                .begin(&format!("user{n}"), "192.0.2.1:4000", now)
                .unwrap();
        }
        assert_eq!(
            throttle.begin("ann", "192.0.2.1:5000", now).unwrap_err(),
            Time(1010)
        );
        assert!(throttle.begin("ann", "192.0.2.2:5000", now).is_ok());
    }

    #[test]
    fn success_clears_the_name() {
        let throttle = throttle();
        let now = Time(1000);
        for _ in 0..100 {
            let attempt = throttle.begin("ann", "192.0.2.1", now).unwrap();
            throttle.succeeded(&attempt, now);
        }
    }

    #[test]
    fn a_clock_that_is_set_back_keeps_nobody_out() {
        let throttle = throttle();
        for _ in 0..3 {
            let _ = throttle.begin("ann", "192.0.2.1", Time(1_000_000)).unwrap();
        }
        assert!(throttle.begin("ann", "192.0.2.1", Time(1_000_000)).is_err());
        assert!(throttle.begin("ann", "192.0.2.1", Time(1000)).is_ok());
    }

    #[test]
    fn bounded() {
        let throttle = throttle();
        // Each is a name and an address.
        let last = MOST / 2 + 100;
        for n in 0..=last {
            let _ = throttle.begin(
                &n.to_string(),
                &n.to_string(),
                Time(i64::try_from(n).unwrap()),
            );
        }
        assert_eq!(throttle.lock().len(), MOST);
        assert!(throttle.lock().contains_key(&Who::Name(last.to_string())));
        assert!(!throttle.lock().contains_key(&Who::Name("0".to_owned())));
    }

    #[test]
    fn a_network_is_one_address() {
        assert_eq!(
            address("[2001:db8:1:2:3::4]:80"),
            address("2001:db8:1:2:ffff::1")
        );
        assert_ne!(address("2001:db8:1:2::1"), address("2001:db8:1:3::1"));
        assert_eq!(address("[::ffff:192.0.2.1]:80"), "192.0.2.1");
        assert_eq!(address("a unix socket"), "a unix socket");
    }
}
