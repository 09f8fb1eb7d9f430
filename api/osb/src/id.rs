//! Typed ids. OSB ids are opaque strings: never assume a UUID.
//!
//! The rule: an id that exists can be stored, logged and put into a URL, so nobody downstream checks
//! again. Swapping an instance id and a binding id does not compile.

use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// Longest id in bytes. The protocol names no limit; this one is ours, four times what it tells
/// platforms to expect, and small enough for two ids in one index entry of any database.
pub const MAX_ID_BYTES: usize = 1024;

/// Why a text is no id. The field is the name of the id, as in `instance_id`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadId {
    /// The empty string.
    #[error("{0} must be a non-empty string")]
    Empty(&'static str),
    /// A line break, a NUL or the like: no database and no log is safe with those.
    #[error("{0} must not contain control characters")]
    Control(&'static str),
    /// Longer than [`MAX_ID_BYTES`].
    #[error("{0} must not be longer than 1024 bytes")]
    TooLong(&'static str),
    /// In a path: `%` without two hexadecimal digits, or bytes that are no UTF-8.
    #[error("{0} must be percent-encoded UTF-8")]
    Encoding(&'static str),
}

/// Holds a text to the rule for ids.
pub(crate) fn check(label: &'static str, text: &str) -> Result<(), BadId> {
    if text.is_empty() {
        Err(BadId::Empty(label))
    } else if text.len() > MAX_ID_BYTES {
        Err(BadId::TooLong(label))
    } else if text.chars().any(char::is_control) {
        Err(BadId::Control(label))
    } else {
        Ok(())
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $label:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// What the protocol calls it.
            pub const LABEL: &'static str = $label;

            /// Takes any text that is not empty, not above [`MAX_ID_BYTES`] and free of control characters.
            pub fn new(value: impl Into<String>) -> Result<Self, BadId> {
                let value = value.into();
                check($label, &value)?;
                Ok(Self(value))
            }

            /// The id as the caller wrote it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = BadId;
            fn from_str(text: &str) -> Result<Self, BadId> {
                Self::new(text)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::new(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
            }
        }
    };
}

id!(
    /// The platform's id of a service instance.
    InstanceId,
    "instance_id"
);
id!(
    /// The platform's id of a service binding.
    BindingId,
    "binding_id"
);
id!(
    /// The broker's id of a service offering.
    ServiceId,
    "service_id"
);
id!(
    /// The broker's id of a plan.
    PlanId,
    "plan_id"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_can_be_stored() {
        assert!(InstanceId::new("not a uuid / at all ü").is_ok());
        assert!(InstanceId::new("x".repeat(MAX_ID_BYTES)).is_ok());
    }

    #[test]
    fn refuses_the_rest() {
        let cases = [
            (String::new(), BadId::Empty("plan_id")),
            ("a\0b".to_owned(), BadId::Control("plan_id")),
            ("a\nb".to_owned(), BadId::Control("plan_id")),
            ("x".repeat(MAX_ID_BYTES + 1), BadId::TooLong("plan_id")),
        ];
        for (text, wanted) in cases {
            assert_eq!(PlanId::new(text), Err(wanted));
        }
    }
}
