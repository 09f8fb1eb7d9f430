//! Values that may be sent but never printed: credentials, parameters, client secrets.
//!
//! Used by every message that carries one. The rule: there is no `Display`, `Debug` prints stars, and
//! reading the value is spelled `expose`, so that a grep shows every place that does.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A value that serialises as itself and prints as stars.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Hides a value.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// The value itself. Every caller answers for where it goes.
    pub fn expose(&self) -> &T {
        &self.0
    }

    /// The value itself, taken out.
    pub fn into_exposed(self) -> T {
        self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl<T> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_stars_and_serialises_itself() {
        let secret = Secret::new("hunter2".to_owned());
        assert_eq!(format!("{secret:?}"), "***");
        assert_eq!(serde_json::to_string(&secret).unwrap(), "\"hunter2\"");
    }
}
