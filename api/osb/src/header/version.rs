//! `X-Broker-API-Version`: MAJOR.MINOR, nothing else (B2).

use std::{fmt, str::FromStr};

/// A version of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ApiVersion {
    /// Two, so far.
    pub major: u16,
    /// Grows with compatible additions.
    pub minor: u16,
}

/// The header is not MAJOR.MINOR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("X-Broker-API-Version must be MAJOR.MINOR, for example 2.17")]
pub struct BadVersion;

impl ApiVersion {
    /// The oldest that is accepted.
    pub const V2_11: Self = Self::new(2, 11);
    /// Adds `context`.
    pub const V2_12: Self = Self::new(2, 12);
    /// Adds schemas and originating identity.
    pub const V2_13: Self = Self::new(2, 13);
    /// Adds fetching, and bindings made asynchronously.
    pub const V2_14: Self = Self::new(2, 14);
    /// Adds maintenance info, request identity, polling limits.
    pub const V2_15: Self = Self::new(2, 15);
    /// Adds metadata of instances and bindings, and ETag.
    pub const V2_16: Self = Self::new(2, 16);
    /// Adds rotation.
    pub const V2_17: Self = Self::new(2, 17);
    /// What this crate is written for.
    pub const CURRENT: Self = Self::V2_17;

    /// Any version.
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }
}

impl FromStr for ApiVersion {
    type Err = BadVersion;

    fn from_str(text: &str) -> Result<Self, BadVersion> {
        let (major, minor) = text.split_once('.').ok_or(BadVersion)?;
        Ok(Self::new(number(major)?, number(minor)?))
    }
}

/// Digits without a leading zero: `u16::from_str` alone would take `+2` and `02`.
fn number(text: &str) -> Result<u16, BadVersion> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let padded = text.len() > 1 && text.starts_with('0');
    if !digits || padded {
        return Err(BadVersion);
    }
    text.parse().map_err(|_| BadVersion)
}

impl fmt::Display for ApiVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes() {
        for text in ["2.11", "2.17", "2.0", "3.0", "2.65535"] {
            assert_eq!(text.parse::<ApiVersion>().unwrap().to_string(), text);
        }
        assert!(ApiVersion::V2_11 < ApiVersion::V2_17);
        assert!(ApiVersion::V2_17 < ApiVersion::new(3, 0));
    }

    #[test]
    fn takes_nothing_else() {
        for text in [
            "", "2", "2.", ".17", "2.17.0", "v2.17", "2.x", "+2.17", "2.+1", " 2.17", "2.017",
            "2.65536",
        ] {
            assert_eq!(text.parse::<ApiVersion>(), Err(BadVersion), "{text}");
        }
    }
}
