//! One field of a PATCH body.
//!
//! Every `...Patch` shape is made of these. The rule: a field carries `#[serde(default,
//! skip_serializing_if = "Patch::is_absent")]`, because only the struct around it can leave it out. It has
//! no schema of its own: the field says `#[schema(value_type = Option<T>)]`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Absent, `null` or a value: three things that a change must tell apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// The field was not sent.
    #[default]
    Absent,
    /// The field was sent as `null`.
    Null,
    /// The field was sent with this value.
    Value(T),
}

impl<T> Patch<T> {
    /// Whether the field was not sent.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether the field was sent as `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The value; `None` when absent or `null`.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Absent | Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }

    /// The same, looking only.
    pub fn as_ref(&self) -> Patch<&T> {
        match self {
            Self::Absent => Patch::Absent,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(value),
        }
    }

    /// Another kind of value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Absent => Patch::Absent,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(change(value)),
        }
    }

    /// Absent is `None`, `null` is `Some(None)`.
    pub fn into_nested(self) -> Option<Option<T>> {
        match self {
            Self::Absent => None,
            Self::Null => Some(None),
            Self::Value(value) => Some(Some(value)),
        }
    }
}

impl<T> From<T> for Patch<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent | Self::Null => serializer.serialize_none(),
            Self::Value(value) => value.serialize(serializer),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Option::deserialize(deserializer)? {
            None => Self::Null,
            Some(value) => Self::Value(value),
        })
    }
}
