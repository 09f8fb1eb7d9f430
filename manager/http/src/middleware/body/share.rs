//! How many bodies each address lets us wait for.
//!
//! The rule: an address is known for as long as one of its bodies is on its way, so there are never more addresses than
//! places for requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(super) struct Shares {
    most: usize,
    taken: Mutex<HashMap<String, usize>>,
}

/// One body on its way.
pub(super) struct Share {
    shares: Arc<Shares>,
    from: String,
}

impl Shares {
    /// So many for each address.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            taken: Mutex::default(),
        }
    }

    /// One more for this address, if it has not all it may.
    pub(super) fn take(shares: &Arc<Self>, from: &str) -> Option<Share> {
        let mut taken = shares.lock();
        match taken.get_mut(from) {
            Some(count) if *count >= shares.most => return None,
            Some(count) => *count += 1,
            None => {
                taken.insert(from.to_owned(), 1);
            }
        }
        Some(Share {
            shares: Arc::clone(shares),
            from: from.to_owned(),
        })
    }

    /// A count is whole after every step, so a panic elsewhere does no harm.
    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut taken = self.shares.lock();
        match taken.get_mut(&self.from) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                taken.remove(&self.from);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_gets_its_share_and_others_theirs() {
        let shares = Arc::new(Shares::new(2));
        let first = Shares::take(&shares, "a").unwrap();
        let second = Shares::take(&shares, "a").unwrap();
        assert!(Shares::take(&shares, "a").is_none());
        assert!(Shares::take(&shares, "b").is_some());
        drop(first);
        let third = Shares::take(&shares, "a").unwrap();
        drop((second, third));
        assert!(shares.lock().is_empty(), "nobody is remembered");
    }
}
