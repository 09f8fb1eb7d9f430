//! Pairs of user and password that were looked at: the right ones with whom they stand for, and the wrong ones. `basic`
//! and `door` ask here first.
//!
//! The rule: a pair is known only by its HMAC under a key that this process made for itself, so what is remembered is
//! worth nothing to whoever reads it. Right ones and wrong ones have rooms of their own: however many are guessed, no
//! right one is forgotten for it. What depends on something that was changed since does not hold ([`Stamps`]).

use super::bounded::Bounded;
use crate::views::{Mark, Stamps};
use aws_lc_rs::hmac;
use aws_lc_rs::rand::SystemRandom;
use qm_model::ctx::PlatformCaller;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many right pairs are remembered: each takes about 300 bytes.
const RIGHT: usize = 32 * 1024;
/// How many wrong ones.
const WRONG: usize = 4 * 1024;
/// So many locks, so that callers seldom meet.
const SHARDS: usize = 16;

/// Pairs that were looked at.
pub(super) struct Pairs {
    /// Without randomness there is none, and nothing is remembered.
    key: Option<hmac::Key>,
    hasher: RandomState,
    right: Shards<Arc<Right>>,
    wrong: Shards<Arc<str>>,
}

/// A pair, unreadable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Proof([u8; 32]);

/// Whom a pair stands for, and where.
struct Right {
    broker: Option<Box<str>>,
    caller: PlatformCaller,
}

type Key = (Proof, u64);
type Shards<V> = Vec<Mutex<Bounded<Key, (V, Mark)>>>;

impl Pairs {
    pub(super) fn new() -> Self {
        Self::with_room(RIGHT, WRONG)
    }

    fn with_room(right: usize, wrong: usize) -> Self {
        Self {
            key: hmac::Key::generate(hmac::HMAC_SHA256, &SystemRandom::new()).ok(),
            hasher: RandomState::new(),
            right: shards(right),
            wrong: shards(wrong),
        }
    }

    /// The pair as it is remembered.
    pub(super) fn proof(&self, username: &str, password: &str) -> Option<Proof> {
        let mut hmac = hmac::Context::with_key(self.key.as_ref()?);
        hmac.update(&username.len().to_le_bytes());
        hmac.update(username.as_bytes());
        hmac.update(password.as_bytes());
        let mut proof = [0; 32];
        proof.copy_from_slice(hmac.sign().as_ref());
        Some(Proof(proof))
    }

    /// Whom the pair is known to stand for: a platform anywhere, or, with a broker, at that broker's door.
    pub(super) fn right(
        &self,
        proof: Option<Proof>,
        broker: Option<&str>,
        stamps: &Stamps,
    ) -> Option<PlatformCaller> {
        let key = self.key_of(proof?, broker);
        let (right, mark) = shard(&self.right, &key)?.get(&key)?;
        if !stamps.holds(&mark) {
            shard(&self.right, &key)?.remove(&key);
            return None;
        }
        (right.broker.as_deref() == broker).then(|| right.caller.clone())
    }

    pub(super) fn put_right(
        &self,
        proof: Option<Proof>,
        broker: Option<&str>,
        caller: PlatformCaller,
        mark: Mark,
    ) {
        let Some(proof) = proof else { return };
        let key = self.key_of(proof, broker);
        let right = Right {
            broker: broker.map(Box::from),
            caller,
        };
        if let Some(mut shard) = shard(&self.right, &key) {
            shard.put(key, (Arc::new(right), mark));
        }
    }

    /// Whether the pair is known to be wrong at this broker's door.
    pub(super) fn wrong(&self, proof: Option<Proof>, broker: &str, stamps: &Stamps) -> bool {
        let Some(proof) = proof else { return false };
        let key = self.key_of(proof, Some(broker));
        let found = shard(&self.wrong, &key).and_then(|mut shard| shard.get(&key));
        found.is_some_and(|(at, mark)| stamps.holds(&mark) && *at == *broker)
    }

    pub(super) fn put_wrong(&self, proof: Option<Proof>, broker: &str, mark: Mark) {
        let Some(proof) = proof else { return };
        let key = self.key_of(proof, Some(broker));
        if let Some(mut shard) = shard(&self.wrong, &key) {
            shard.put(key, (Arc::from(broker), mark));
        }
    }

    fn key_of(&self, proof: Proof, broker: Option<&str>) -> Key {
        (
            proof,
            broker.map_or(0, |broker| self.hasher.hash_one(broker)),
        )
    }
}

fn shards<V: Clone>(most: usize) -> Shards<V> {
    let shard = || Mutex::new(Bounded::new(most / SHARDS));
    std::iter::repeat_with(shard).take(SHARDS).collect()
}

/// The first byte of a proof is as random as any.
fn shard<'s, V>(
    shards: &'s Shards<V>,
    key: &Key,
) -> Option<MutexGuard<'s, Bounded<Key, (V, Mark)>>> {
    let (Proof([first, ..]), _) = key;
    let shard = shards.get(usize::from(*first) % SHARDS)?;
    // A panic elsewhere leaves a map that is whole.
    Some(shard.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::Of;
    use qm_model::id::PlatformId;

    fn caller(name: &str) -> PlatformCaller {
        PlatformCaller {
            id: PlatformId::new(name).unwrap(),
            name: name.to_owned(),
            platform_type: String::new(),
            username: String::new(),
            suspended: false,
            tenants: Vec::new(),
        }
    }

    fn mark(stamps: &Stamps, of: Of<'_>) -> Mark {
        stamps.mark(stamps.now(), [of; 3])
    }

    #[test]
    fn a_pair_is_right_where_it_was_and_until_it_is_touched() {
        let (pairs, stamps) = (Pairs::new(), Stamps::new());
        let proof = pairs.proof("u", "p");
        pairs.put_right(
            proof,
            Some("b"),
            caller("x"),
            mark(&stamps, Of::Credential("c")),
        );
        assert_eq!(pairs.right(proof, Some("b"), &stamps), Some(caller("x")));
        assert_eq!(pairs.right(proof, Some("other"), &stamps), None);
        assert_eq!(pairs.right(proof, None, &stamps), None);
        for (user, password) in [("u", "q"), ("v", "p"), ("up", ""), ("", "up")] {
            let other = pairs.proof(user, password);
            assert_eq!(pairs.right(other, Some("b"), &stamps), None, "{user}");
        }
        stamps.touch(Of::Credential("c"));
        assert_eq!(pairs.right(proof, Some("b"), &stamps), None);
    }

    #[test]
    fn however_many_are_guessed_the_right_ones_stay_and_nothing_grows() {
        let (pairs, stamps) = (Pairs::with_room(320, 160), Stamps::new());
        let mark = mark(&stamps, Of::Platform("x"));
        let right = pairs.proof("u", "p");
        pairs.put_right(right, None, caller("x"), mark);
        for n in 0..5_000 {
            let wrong = pairs.proof("u", &n.to_string());
            pairs.put_wrong(wrong, "b", mark);
            assert!(pairs.wrong(wrong, "b", &stamps));
            assert!(!pairs.wrong(wrong, "c", &stamps));
        }
        assert!(pairs.right(right, None, &stamps).is_some());
        let count = |shards: &Shards<Arc<str>>| -> usize {
            shards.iter().map(|shard| shard.lock().unwrap().len()).sum()
        };
        assert!(count(&pairs.wrong) <= 160);
        for n in 0..5_000 {
            let proof = pairs.proof("u", &n.to_string());
            pairs.put_right(proof, Some("b"), caller("x"), mark);
        }
        let kept: usize = pairs.right.iter().map(|s| s.lock().unwrap().len()).sum();
        assert!(kept <= 320, "{kept}");
    }
}
