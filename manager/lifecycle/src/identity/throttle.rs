//! Slows down whoever guesses passwords, by user name and by address. `password` asks before it looks at a
//! guess and tells how it ended.
//!
//! The rule: only what failed counts, and it is counted before the next guess is looked at; `password` looks
//! at few at once. Waits double and end, and time forgives. The longest wait for a name is short, or anybody
//! could keep somebody out. Kept in this process and bounded.

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
    /// Its hash: a name that is guessed may be as long as a request.
    Name([u8; 32]),
    Address(String),
}

#[derive(Debug, Clone, Copy)]
struct Tries {
    failed: u32,
    last: Time,
    until: Time,
}

/// Whose proof is guessed, and from where.
#[derive(Debug)]
pub(super) struct Guess(Vec<Who>);

impl Guess {
    /// At a user's password.
    pub(super) fn new(name: &str, remote: &str) -> Self {
        Self(vec![
            Who::Name(super::secret::hash(name)),
            Who::Address(address(remote)),
        ])
    }

    /// At a proof that nobody guesses: no name has to wait because of it.
    pub(super) fn in_vain(remote: &str) -> Self {
        Self(vec![Who::Address(address(remote))])
    }
}

impl Throttle {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            tries: Mutex::default(),
        }
    }

    /// Whether a guess may be looked at; if not, when the next one may come.
    pub(super) fn check(&self, guess: &Guess, now: Time) -> Result<(), Time> {
        let tries = self.lock();
        let Guess(whos) = guess;
        let waits = whos
            .iter()
            .filter_map(|who| self.wait(who, *tries.get(who)?, now));
        match waits.max() {
            Some(until) => Err(until),
            None => Ok(()),
        }
    }

    /// The guess was wrong.
    pub(super) fn failed(&self, guess: &Guess, now: Time) {
        let mut tries = self.lock();
        for who in &guess.0 {
            make_room(&mut tries, who);
            let entry = tries.entry(who.clone()).or_insert(Tries {
                failed: 0,
                last: now,
                until: now,
            });
            // Either way: what a clock that was set back left in the future is old too.
            let since = now.since(entry.last).max(entry.last.since(now));
            let forgiven = since.as_millis() / self.limits.forgive_after.as_millis().max(1);
            let forgiven = u32::try_from(forgiven).unwrap_or(u32::MAX);
            entry.failed = entry.failed.saturating_sub(forgiven).saturating_add(1);
            entry.last = now;
            entry.until = now.plus(self.backoff(who, entry.failed));
        }
    }

    /// It was the user: the name starts anew. The address does not, or one account of one's own would do to
    /// guess all others.
    pub(super) fn succeeded(&self, guess: &Guess) {
        let mut tries = self.lock();
        for who in guess.0.iter().filter(|who| matches!(who, Who::Name(_))) {
            tries.remove(who);
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
            forgive_after: Duration::from_secs(1),
        })
    }

    /// Guesses wrong if that is allowed.
    fn fail(throttle: &Throttle, name: &str, remote: &str, now: Time) -> Result<(), Time> {
        let guess = Guess::new(name, remote);
        throttle.check(&guess, now)?;
        throttle.failed(&guess, now);
        Ok(())
    }

    #[test]
    fn waits_double_for_a_name_and_end() {
        let throttle = throttle();
        let mut now = Time(1000);
        let mut waits = Vec::new();
        for n in 0..10 {
            // Each from elsewhere: only the name is in the way.
            if let Err(until) = fail(&throttle, "ann", &format!("192.0.2.{n}:1"), now) {
                waits.push(until.since(now).as_millis());
                now = until;
            }
        }
        assert_eq!(waits, [10, 20, 40, 40]);
        assert!(fail(&throttle, "bob", "203.0.113.1", now).is_ok());
    }

    #[test]
    fn an_address_that_tries_many_names_waits() {
        let throttle = throttle();
        let now = Time(1000);
        for n in 0..5 {
            fail(&throttle, &format!("user{n}"), "192.0.2.1:4000", now).unwrap();
        }
        let ann = |remote| throttle.check(&Guess::new("ann", remote), now);
        assert_eq!(ann("192.0.2.1:5000"), Err(Time(1010)));
        assert_eq!(ann("192.0.2.2:5000"), Ok(()));
    }

    #[test]
    fn success_clears_the_name_and_not_the_address() {
        let throttle = throttle();
        let now = Time(1000);
        for _ in 0..5 {
            fail(&throttle, "ann", "192.0.2.1", now).unwrap();
            throttle.succeeded(&Guess::new("ann", "192.0.2.1"));
        }
        assert!(fail(&throttle, "ann", "192.0.2.1", now).is_err());
        assert!(fail(&throttle, "ann", "192.0.2.2", now).is_ok());
    }

    #[test]
    fn time_forgives() {
        let throttle = throttle();
        let mut now = Time(1000);
        for _ in 0..100 {
            fail(&throttle, "ann", "192.0.2.1", now).unwrap();
            now = now.plus(Duration::from_secs(1));
        }
    }

    #[test]
    fn a_clock_that_is_set_back_keeps_nobody_out() {
        let throttle = throttle();
        for _ in 0..3 {
            fail(&throttle, "ann", "192.0.2.1", Time(1_000_000)).unwrap();
        }
        assert!(fail(&throttle, "ann", "192.0.2.1", Time(1_000_000)).is_err());
        assert!(fail(&throttle, "ann", "192.0.2.1", Time(1000)).is_ok());
    }

    #[test]
    fn bounded() {
        let throttle = throttle();
        // Each is a name and an address.
        let last = MOST / 2 + 100;
        for n in 0..=last {
            let now = Time(i64::try_from(n).unwrap());
            throttle.failed(&Guess::new(&n.to_string(), &n.to_string()), now);
        }
        assert_eq!(throttle.lock().len(), MOST);
        assert!(
            throttle
                .lock()
                .contains_key(&Who::Name(super::super::secret::hash(&last.to_string())))
        );
        assert!(
            !throttle
                .lock()
                .contains_key(&Who::Name(super::super::secret::hash("0")))
        );
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
