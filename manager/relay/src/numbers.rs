//! The numbers about calls to one broker, and the page that `/metrics` shows of them.
//!
//! [`call`](crate::call) counts, [`Relay::numbers`](crate::Relay::numbers) shows. They are kept here and not in
//! the recorder of the process, because that one never lets go of a series: brokers come and go, and a
//! registration that failed leaves nothing behind. The rule: names and labels are written here and nowhere
//! else; the codes are a fixed list, so that no broker can make series by inventing statuses; and counting
//! takes no lock.

mod code;
mod page;

pub(crate) use code::Code;
pub(crate) use page::{Row, page};

use quartermaster_osb::Verb;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper ends of the buckets, in nanoseconds: from a broker on the same machine to one that takes its time.
const BOUNDS: [u64; 13] = [
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    1_000_000_000,
    2_500_000_000,
    10_000_000_000,
    60_000_000_000,
];

/// What was counted of one broker. Outlives a change of its address.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    /// Made when a verb is first used; most brokers see few of them.
    verbs: [OnceLock<Box<OfVerb>>; Verb::ALL.len()],
}

#[derive(Debug)]
struct OfVerb {
    codes: [AtomicU64; Code::COUNT],
    /// One for each bound, and one above them all.
    buckets: [AtomicU64; BOUNDS.len() + 1],
    nanos: AtomicU64,
}

impl Numbers {
    /// A call ended.
    pub(crate) fn ended(&self, verb: Verb, code: Code) {
        self.of(verb).codes[code.index()].fetch_add(1, Ordering::Relaxed);
    }

    /// A call that passed the gate took so long.
    pub(crate) fn took(&self, verb: Verb, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.partition_point(|bound| *bound < nanos);
        let of = self.of(verb);
        of.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        of.nanos.fetch_add(nanos, Ordering::Relaxed);
    }

    fn of(&self, verb: Verb) -> &OfVerb {
        self.verbs[verb as usize].get_or_init(|| {
            Box::new(OfVerb {
                codes: std::array::from_fn(|_| AtomicU64::new(0)),
                buckets: std::array::from_fn(|_| AtomicU64::new(0)),
                nanos: AtomicU64::new(0),
            })
        })
    }

    /// The verbs that were used.
    fn used(&self) -> impl Iterator<Item = (Verb, &OfVerb)> {
        let pairs = Verb::ALL.into_iter().zip(&self.verbs);
        pairs.filter_map(|(verb, of)| Some((verb, &**of.get()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_has_its_own_place() {
        for (index, verb) in Verb::ALL.into_iter().enumerate() {
            assert_eq!(verb as usize, index);
        }
    }

    #[test]
    fn a_time_falls_into_the_first_bucket_that_holds_it() {
        let numbers = Numbers::default();
        for (millis, bucket) in [(0, 0), (1, 0), (2, 1), (60_000, 12), (60_001, 13)] {
            let before = numbers.of(Verb::Bind).buckets[bucket].load(Ordering::Relaxed);
            numbers.took(Verb::Bind, Duration::from_millis(millis));
            let after = numbers.of(Verb::Bind).buckets[bucket].load(Ordering::Relaxed);
            assert_eq!(after, before + 1, "{millis}");
        }
    }
}
