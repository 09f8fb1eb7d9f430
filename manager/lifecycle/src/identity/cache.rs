//! Tokens that were verified, by their SHA-256, for ten minutes at most. `bearer` asks here first.
//!
//! The rule: bounded, in time as well, so that a key that its issuer has withdrawn counts no longer than that. When it is full the expired go, and then a tenth of the others, whichever: who is
//! forgotten is verified again.

use qm_model::Time;
use qm_model::ctx::Person;
use qm_policy::token::Verified;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a token is believed without being verified again.
const LONGEST: Duration = Duration::from_secs(600);

/// By the hash of the token: since when it is believed, and whom it stands for until when.
type Held = HashMap<[u8; 32], (Time, Verified)>;

/// Verified tokens.
pub(super) struct Cache {
    most: usize,
    held: Mutex<Held>,
}

impl Cache {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            held: Mutex::default(),
        }
    }

    /// Who this token stands for, if that is known and still holds.
    pub(super) fn get(&self, token: &[u8; 32], now: Time) -> Option<Person> {
        let held = self.lock();
        let (_, verified) = held.get(token).filter(|entry| holds(entry, now))?;
        Some(verified.person.clone())
    }

    pub(super) fn put(&self, token: [u8; 32], mut verified: Verified, now: Time) {
        if self.most == 0 {
            return;
        }
        verified.expires_at = verified.expires_at.min(now.plus(LONGEST));
        let mut held = self.lock();
        if held.len() >= self.most {
            held.retain(|_, entry| holds(entry, now));
        }
        if held.len() >= self.most {
            let victims: Vec<_> = held.keys().take(self.most.div_ceil(10)).copied().collect();
            for victim in victims {
                held.remove(&victim);
            }
        }
        held.insert(token, (now, verified));
    }

    /// A panic elsewhere leaves a map that is whole.
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether it may be believed now. Who was noted in the future was noted before the clock was set back, and would be
/// believed for too long.
fn holds((since, verified): &(Time, Verified), now: Time) -> bool {
    *since <= now && now < verified.expires_at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verified(expires_at: i64) -> Verified {
        Verified {
            person: Person {
                subject: "s".to_owned(),
                name: "n".to_owned(),
                issuer: "i".to_owned(),
                roles: std::collections::BTreeSet::new(),
                tenant: None,
            },
            expires_at: Time(expires_at),
        }
    }

    #[test]
    fn an_expired_token_is_not_known() {
        let cache = Cache::new(10);
        cache.put([1; 32], verified(100), Time(0));
        assert!(cache.get(&[1; 32], Time(99)).is_some());
        assert!(cache.get(&[1; 32], Time(100)).is_none());
        assert!(cache.get(&[2; 32], Time(0)).is_none());
        assert!(
            cache.get(&[1; 32], Time(-1)).is_none(),
            "the clock was set back"
        );
    }

    #[test]
    fn never_more_than_allowed_and_the_newest_is_among_them() {
        let cache = Cache::new(20);
        for n in 0..=255 {
            cache.put([n; 32], verified(100), Time(0));
            assert!(cache.lock().len() <= 20);
            assert!(cache.get(&[n; 32], Time(0)).is_some());
        }
        cache.put([7; 32], verified(300), Time(200));
        assert_eq!(cache.lock().len(), 1, "the expired go first");
    }
}
