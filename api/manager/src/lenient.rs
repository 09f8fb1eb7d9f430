//! Reading what clients written in Go send: `null` where they mean nothing.

use serde::{Deserialize, Deserializer};

/// `null` is what the type is when nothing was said.
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// For `skip_serializing_if`.
pub(crate) fn is_false(value: &bool) -> bool {
    !*value
}
