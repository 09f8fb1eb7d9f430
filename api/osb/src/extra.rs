//! The fields of a message that this version does not know.
//!
//! Every message has them under `extra` and writes them again. The rule: nobody knows what they hold, and a
//! broker has been seen to send credentials where none belong, so `Debug` prints the names alone.

use crate::Object;
use serde::{Deserialize, Serialize};
use std::{
    fmt,
    ops::{Deref, DerefMut},
};

/// Unknown fields by name. Reads and writes like the [`Object`] it holds; prints names only.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Extra(Object);

impl Extra {
    /// No fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// The fields, taken out.
    pub fn into_object(self) -> Object {
        self.0
    }
}

impl Deref for Extra {
    type Target = Object;

    fn deref(&self) -> &Object {
        &self.0
    }
}

impl DerefMut for Extra {
    fn deref_mut(&mut self) -> &mut Object {
        &mut self.0
    }
}

impl From<Object> for Extra {
    fn from(fields: Object) -> Self {
        Self(fields)
    }
}

impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_names_and_not_values() {
        let mut extra = Extra::new();
        extra.insert("credentials".into(), "hunter2".into());
        assert_eq!(format!("{extra:?}"), r#"{"credentials"}"#);
    }
}
