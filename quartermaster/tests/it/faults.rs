//! Faults that a manager must survive, produced for real: killed processes, a database that goes away, disks that
//! are full, clients that do not read, issuers that are not there.
//!
//! The rule: a fault falls at a moment nobody chose, and afterwards the whole registry is compared with what callers
//! were told, not only what the fault was aimed at.

mod catalogs;
mod clock;
mod contention;
pub(crate) mod disk_full;
mod issuer;
mod kill;
mod postgres;
mod presence;
mod refresh_race;
mod replicas;
mod slow_reader;
mod stopping;

/// A generator that a printed number starts again.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    /// From `QM_FAULT_SEED`, or from the clock; printed, so that a failure can be repeated.
    pub(crate) fn from_env() -> Self {
        let seed = match std::env::var("QM_FAULT_SEED") {
            Ok(seed) => seed.parse().expect("QM_FAULT_SEED is a number"),
            Err(_) => std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .unwrap()
                .subsec_nanos()
                .into(),
        };
        println!("QM_FAULT_SEED={seed}");
        Self(seed)
    }

    /// Below `sides`.
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    /// Another one that goes its own way.
    pub(crate) fn split(&mut self) -> Self {
        Self(self.roll(u64::MAX))
    }
}
