//! A map that forgets: never more than so many entries, and what was asked for lately stays. `pairs` keeps its memory in
//! such maps.
//!
//! The rule: two halves. New entries and those that are asked for go to the young half; when that is full it becomes the
//! old one, and the old one is dropped. So nothing is ever searched for a victim.

use std::collections::HashMap;
use std::hash::Hash;

/// A map that forgets.
pub(super) struct Bounded<K, V> {
    half: usize,
    young: HashMap<K, V>,
    old: HashMap<K, V>,
}

impl<K: Hash + Eq, V: Clone> Bounded<K, V> {
    /// Never more than so many entries, and at least two.
    pub(super) fn new(most: usize) -> Self {
        Self {
            half: (most / 2).max(1),
            young: HashMap::new(),
            old: HashMap::new(),
        }
    }

    pub(super) fn get(&mut self, key: &K) -> Option<V> {
        if let Some(value) = self.young.get(key) {
            return Some(value.clone());
        }
        let (key, value) = self.old.remove_entry(key)?;
        self.put(key, value.clone());
        Some(value)
    }

    pub(super) fn put(&mut self, key: K, value: V) {
        self.old.remove(&key);
        if self.young.len() >= self.half && !self.young.contains_key(&key) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }

    pub(super) fn remove(&mut self, key: &K) {
        self.young.remove(key);
        self.old.remove(key);
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_more_than_allowed_and_what_is_asked_for_stays() {
        let mut map = Bounded::new(10);
        map.put(-1, "kept");
        for n in 0..1_000 {
            map.put(n, "passing");
            assert_eq!(map.get(&-1), Some("kept"));
            assert_eq!(map.get(&n), Some("passing"));
            assert!(map.len() <= 10);
        }
        assert_eq!(map.get(&0), None);
        map.remove(&-1);
        assert_eq!(map.get(&-1), None);
    }
}
