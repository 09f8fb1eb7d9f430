//! Go's map with string keys: shared by all who hold it, changed in place by functions such as
//! `set`, and always seen in the order of its keys.
//!
//! The rule: no lock is held while anything else runs. Whoever walks a map walks a copy of its
//! entries, as Go's template engine does; whoever follows a path of keys gives up waiting.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{Str, Value, release};
use crate::types::Type;

/// A shared, mutable map; a clone is the same map.
#[derive(Clone)]
pub struct Map(Arc<Inner>);

struct Inner {
    entries: RwLock<BTreeMap<Str, Value>>,
    element: Type,
}

impl Drop for Inner {
    fn drop(&mut self) {
        let entries = self
            .entries
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        if entries.values().any(Value::is_container) {
            let mut values = std::mem::take(entries).into_values().collect();
            release::values(&mut values);
        }
    }
}

impl Map {
    /// `map[string]interface {}`.
    #[must_use]
    pub fn new() -> Self {
        Self::typed(Type::Any)
    }

    /// A map whose values all have this type; the caller sees to it that they have.
    #[must_use]
    pub fn typed(element: Type) -> Self {
        Self(Arc::new(Inner {
            entries: RwLock::default(),
            element,
        }))
    }

    /// The type of the values.
    #[must_use]
    pub fn element(&self) -> &Type {
        &self.0.element
    }

    // A panic while the lock was held left the tree whole: no code of others runs under it.
    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<Str, Value>> {
        self.0
            .entries
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, BTreeMap<Str, Value>> {
        self.0
            .entries
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: impl AsRef<[u8]>) -> Option<Value> {
        self.read().get(key.as_ref()).cloned()
    }

    /// Whether there is such a key.
    #[must_use]
    pub fn contains_key(&self, key: impl AsRef<[u8]>) -> bool {
        self.read().contains_key(key.as_ref())
    }

    /// Sets a key; returns what it was.
    pub fn insert(&self, key: impl Into<Str>, value: impl Into<Value>) -> Option<Value> {
        let (key, value) = (key.into(), value.into().stored());
        self.write().insert(key, value)
    }

    /// Takes a key out; returns what it was.
    pub fn remove(&self, key: impl AsRef<[u8]>) -> Option<Value> {
        self.write().remove(key.as_ref())
    }

    /// Takes everything out.
    pub fn clear(&self) {
        let old = std::mem::take(&mut *self.write());
        drop(old);
    }

    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.read().is_empty()
    }

    /// The keys, sorted.
    #[must_use]
    pub fn keys(&self) -> Vec<Str> {
        self.read().keys().cloned().collect()
    }

    /// The values, in the order of their keys.
    #[must_use]
    pub fn values(&self) -> Vec<Value> {
        self.read().values().cloned().collect()
    }

    /// A copy of the entries, in the order of their keys.
    #[must_use]
    pub fn entries(&self) -> Vec<(Str, Value)> {
        let entries = self.read();
        entries
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }

    /// A new map with the same entries.
    #[must_use]
    pub fn shallow_copy(&self) -> Self {
        Self(Arc::new(Inner {
            entries: RwLock::new(self.read().clone()),
            element: self.0.element.clone(),
        }))
    }

    /// Whether both are one map.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Follows keys through maps without copying them on the way. `None` when that is not the whole
    /// way or somebody is writing: the caller then goes step by step.
    /// Besides the value it says whether that lay in an `interface {}`.
    pub(crate) fn path(&self, keys: &[Str]) -> Option<(Value, bool)> {
        let (first, rest) = keys.split_first()?;
        let entries = self.0.entries.try_read().ok()?;
        match (entries.get(first.as_bytes())?, rest.is_empty()) {
            (value, true) => Some((value.clone(), self.0.element == Type::Any)),
            (Value::Map(map), false) => map.path(rest),
            _ => None,
        }
    }

    /// The values, when nobody else holds them; for [`release`].
    pub(super) fn into_unshared(self) -> Option<Vec<Value>> {
        let mut inner = Arc::into_inner(self.0)?;
        let entries = inner
            .entries
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        Some(std::mem::take(entries).into_values().collect())
    }
}

impl Default for Map {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Into<Str>, V: Into<Value>> FromIterator<(K, V)> for Map {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let entries = entries
            .into_iter()
            .map(|(key, value)| (key.into(), value.into().stored()))
            .collect();
        Self(Arc::new(Inner {
            entries: RwLock::new(entries),
            element: Type::Any,
        }))
    }
}

// Not the entries: a map may hold itself.
impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "map[string]{}(len {})", self.element(), self.len())
    }
}
