//! Labels: keys with sets of values that owners put on resources. Every resource has them, callers query
//! by them, and visibility reads them.
//!
//! The rule: a [`Labels`] is valid whoever made it, because there is no way in but [`Labels::insert`]; and
//! a key without values is not there.

mod change;
mod difference;
mod error;
mod op;

pub use change::LabelChange;
pub use difference::LabelDifference;
pub use error::LabelError;
pub use op::LabelOp;

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a key, and of a value.
pub const MAX_LABEL: usize = 255;

/// The labels of one resource. On the wire a map of arrays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, Option<Vec<String>>>")]
pub struct Labels(BTreeMap<String, BTreeSet<String>>);

impl Labels {
    /// No labels.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one value to a key. True if it was not there.
    pub fn insert(&mut self, key: String, value: String) -> Result<bool, LabelError> {
        check_key(&key)?;
        check_value(&key, &value)?;
        Ok(self.0.entry(key).or_default().insert(value))
    }

    /// Collects pairs of key and value, as the store has them. Pairs that come twice are one.
    pub fn from_pairs(
        pairs: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, LabelError> {
        let mut labels = Self::new();
        for (key, value) in pairs {
            labels.insert(key, value)?;
        }
        Ok(labels)
    }

    /// The labels after the changes, each applied to what the ones before it left.
    pub fn apply(&self, changes: &[LabelChange]) -> Result<Self, LabelError> {
        let mut labels = self.clone();
        for change in changes {
            change.apply(&mut labels)?;
        }
        Ok(labels)
    }

    /// What must be added and removed to come from these labels to `after`.
    pub fn difference(&self, after: &Self) -> LabelDifference {
        LabelDifference {
            added: after.without(self),
            removed: self.without(after),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The values of a key, if it has any.
    pub fn get(&self, key: &str) -> Option<&BTreeSet<String>> {
        self.0.get(key)
    }

    /// Whether a key has this value.
    pub fn contains(&self, key: &str, value: &str) -> bool {
        self.get(key).is_some_and(|values| values.contains(value))
    }

    /// Every key with its values, in order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &BTreeSet<String>)> {
        self.0.iter().map(|(key, values)| (key.as_str(), values))
    }

    /// Every key.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Every key with each of its values: one row each in the store.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.iter()
            .flat_map(|(key, values)| values.iter().map(move |value| (key, value.as_str())))
    }

    /// The pairs that `others` has not.
    fn without(&self, others: &Self) -> Self {
        let mut rest = self.clone();
        for (key, values) in &others.0 {
            rest.remove(key, values);
        }
        rest
    }

    /// Removes values of a key, and the key with its last one.
    fn remove<'v>(&mut self, key: &str, values: impl IntoIterator<Item = &'v String>) {
        let Some(held) = self.0.get_mut(key) else {
            return;
        };
        for value in values {
            held.remove(value);
        }
        if held.is_empty() {
            self.0.remove(key);
        }
    }
}

/// From the body of a create: `null` and an empty array put nothing on a resource, and a value that comes
/// twice is one value.
impl TryFrom<BTreeMap<String, Option<Vec<String>>>> for Labels {
    type Error = LabelError;

    fn try_from(map: BTreeMap<String, Option<Vec<String>>>) -> Result<Self, LabelError> {
        let mut labels = Self::new();
        for (key, values) in map {
            check_key(&key)?;
            for value in values.into_iter().flatten() {
                labels.insert(key.clone(), value)?;
            }
        }
        Ok(labels)
    }
}

/// A key cannot hold white space, because a query could not name it.
fn check_key(key: &str) -> Result<(), LabelError> {
    if key.is_empty() {
        return Err(LabelError::EmptyKey);
    }
    if key.len() > MAX_LABEL {
        return Err(LabelError::LongKey {
            start: key.chars().take(40).collect(),
        });
    }
    if key.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
        return Err(LabelError::KeyCharacter {
            key: key.to_owned(),
        });
    }
    Ok(())
}

/// NUL is refused with the line breaks: PostgreSQL's text cannot hold it.
fn check_value(key: &str, value: &str) -> Result<(), LabelError> {
    let key = || key.to_owned();
    if value.len() > MAX_LABEL {
        return Err(LabelError::LongValue { key: key() });
    }
    if value.contains(['\n', '\r', '\0']) {
        return Err(LabelError::ValueCharacter { key: key() });
    }
    Ok(())
}
