//! Addresses that bring wrong proofs, and how often they may go on.
//!
//! A proof is looked at first and counted when it is wrong: up to [`FEW`] in a [`WHILE`] the answer is 401, above it 429,
//! and a right proof passes all the while. Only an address with more than [`MANY`] has its proofs left unseen, except
//! those that were right before, and [`STILL`] in a second: so a neighbour behind the same address gets in there too.
//!
//! The rule: what is kept is bounded, whoever calls, and no proof is kept, only a keyed fingerprint of it that lets it be
//! looked at, never in.

use http::HeaderValue;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Wrong proofs that are answered 401.
const FEW: u32 = 1_000;
/// Wrong proofs after which hardly any is looked at.
const MANY: u32 = 5_000;
/// In so long a time.
const WHILE: Duration = Duration::from_secs(60);
/// Proofs that are looked at in each second even so.
const STILL: u32 = 20;
/// Addresses that are remembered.
const ADDRESSES: usize = 4_096;
/// Right proofs that are remembered of each.
const KNOWN: usize = 64;

#[derive(Default)]
pub(crate) struct Distrust {
    /// Whether anybody is remembered: nearly always nobody is, and then nothing else is done.
    any: AtomicBool,
    held: Mutex<Held>,
    key: RandomState,
}

#[derive(Default)]
struct Held {
    records: HashMap<String, Record>,
    /// When those whose while is over were last forgotten.
    swept: Option<Instant>,
}

struct Record {
    since: Instant,
    wrong: u32,
    known: Vec<u64>,
    /// The second that `looked` counts in.
    second: Instant,
    looked: u32,
}

impl Distrust {
    /// Whether a proof from this address is looked at; otherwise how long to wait.
    pub(in crate::middleware) fn may_try(
        &self,
        from: &str,
        proof: &HeaderValue,
    ) -> Result<(), Duration> {
        if !self.any.load(Ordering::Relaxed) {
            return Ok(());
        }
        let now = Instant::now();
        let mut held = self.lock();
        if held
            .swept
            .is_none_or(|swept| now.duration_since(swept) >= WHILE)
        {
            held.swept = Some(now);
            held.records.retain(|_, record| record.lasts(now));
            self.any.store(!held.records.is_empty(), Ordering::Relaxed);
        }
        let record = held.records.get_mut(from);
        let Some(record) = record.filter(|record| record.lasts(now)) else {
            return Ok(());
        };
        if record.wrong <= MANY || record.known.contains(&self.key.hash_one(proof)) {
            return Ok(());
        }
        if now.duration_since(record.second) >= Duration::from_secs(1) {
            (record.second, record.looked) = (now, 0);
        }
        record.looked += 1;
        if record.looked <= STILL {
            Ok(())
        } else {
            Err(record.rest(now))
        }
    }

    /// Notes that a proof was right, in case its address comes to be distrusted.
    pub(in crate::middleware) fn right(&self, from: &str, proof: &HeaderValue) {
        if !self.any.load(Ordering::Relaxed) {
            return;
        }
        let print = self.key.hash_one(proof);
        let mut held = self.lock();
        if let Some(record) = held.records.get_mut(from)
            && !record.known.contains(&print)
        {
            if record.known.len() >= KNOWN {
                record.known.remove(0);
            }
            record.known.push(print);
        }
    }

    /// Counts a wrong proof. When there were too many: how long to wait.
    pub(in crate::middleware) fn wrong(&self, from: &str) -> Option<Duration> {
        let now = Instant::now();
        let mut held = self.lock();
        let records = &mut held.records;
        if !records.contains_key(from) {
            make_room(records, now);
            records.insert(from.to_owned(), Record::new(now));
            self.any.store(true, Ordering::Relaxed);
        }
        let record = records.get_mut(from)?;
        if !record.lasts(now) {
            (record.since, record.wrong) = (now, 0);
        }
        record.wrong = record.wrong.saturating_add(1);
        (record.wrong > FEW).then(|| record.rest(now))
    }

    /// A record is whole after every step, so a panic elsewhere does no harm.
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Record {
    fn new(now: Instant) -> Self {
        Self {
            since: now,
            wrong: 0,
            known: Vec::new(),
            second: now,
            looked: 0,
        }
    }

    fn lasts(&self, now: Instant) -> bool {
        now.duration_since(self.since) < WHILE
    }

    /// Until its while is over; never nothing.
    fn rest(&self, now: Instant) -> Duration {
        let rest = WHILE.saturating_sub(now.duration_since(self.since));
        rest.max(Duration::from_secs(1))
    }
}

/// Forgets whose while is over; when nobody's is, a tenth of them, those with the fewest wrong proofs first.
fn make_room(held: &mut HashMap<String, Record>, now: Instant) {
    if held.len() < ADDRESSES {
        return;
    }
    held.retain(|_, record| record.lasts(now));
    if held.len() < ADDRESSES {
        return;
    }
    let mut counts: Vec<(u32, String)> = held
        .iter()
        .map(|(from, record)| (record.wrong, from.clone()))
        .collect();
    counts.sort_unstable();
    for (_, from) in counts.into_iter().take(ADDRESSES / 10) {
        held.remove(&from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static GOOD: HeaderValue = HeaderValue::from_static("Basic Z29vZA==");
    static BAD: HeaderValue = HeaderValue::from_static("Basic YmFk");

    #[test]
    fn a_few_wrong_proofs_are_told_so_and_more_are_told_to_wait() {
        let distrust = Distrust::default();
        for _ in 0..FEW {
            assert_eq!(distrust.wrong("a"), None);
        }
        let wait = distrust.wrong("a").unwrap();
        assert!(wait > Duration::ZERO && wait <= WHILE);
        assert!(distrust.may_try("a", &BAD).is_ok(), "it is still looked at");
        assert_eq!(distrust.wrong("b"), None, "addresses count by themselves");
    }

    #[test]
    fn far_above_the_limit_who_was_right_before_still_passes() {
        let distrust = Distrust::default();
        distrust.wrong("a");
        distrust.right("a", &GOOD);
        for _ in 0..MANY {
            distrust.wrong("a");
        }
        let tried = |proof: &HeaderValue| {
            let seen = (0..1_000).filter(|_| distrust.may_try("a", proof).is_ok());
            seen.count()
        };
        assert_eq!(tried(&GOOD), 1_000);
        // Some of the others are looked at each second: nobody is shut out for good.
        let seen = tried(&BAD);
        assert!((1..1_000).contains(&seen), "{seen}");
        assert!(distrust.may_try("b", &BAD).is_ok());
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let distrust = Distrust::default();
        for n in 0..ADDRESSES * 2 {
            distrust.wrong(&n.to_string());
            assert!(distrust.lock().records.len() <= ADDRESSES);
        }
        for n in 0..KNOWN * 2 {
            let proof = HeaderValue::from_str(&n.to_string()).unwrap();
            distrust.right("8191", &proof);
        }
        assert_eq!(distrust.lock().records["8191"].known.len(), KNOWN);
    }
}
