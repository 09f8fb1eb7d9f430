//! `X-Broker-API-Originating-Identity`: a platform word, a space, and a JSON object in base64 (B5, P2).
//!
//! Reading is lenient about base64 padding, because platforms are. `extra` holds whatever a cluster's
//! login put there, tokens included, so it is not printed.

use crate::{Context, Object};
use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose::STANDARD},
};
use serde_json::Value;
use std::{fmt, str::FromStr};

/// Who caused a request, in the words of a platform.
#[derive(Clone, PartialEq)]
pub struct OriginatingIdentity {
    /// `cloudfoundry`, `kubernetes` or another; the same word as `context.platform`.
    pub platform: String,
    /// What that platform says about the caller.
    pub value: Object,
}

/// Why the header cannot be read. Never quotes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadIdentity {
    /// Bytes that are no text.
    #[error("X-Broker-API-Originating-Identity must be plain ASCII text")]
    NotText,
    /// No space between two words.
    #[error("X-Broker-API-Originating-Identity must be a platform, a space and a base64 value")]
    Shape,
    /// The second word is no base64.
    #[error("the value in X-Broker-API-Originating-Identity is not base64")]
    Base64,
    /// The decoded value is no JSON object.
    #[error("the value in X-Broker-API-Originating-Identity is not a base64-encoded JSON object")]
    Json,
}

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

impl OriginatingIdentity {
    /// The fields a published profile demands that are missing here. Unknown platforms demand none.
    pub fn missing(&self) -> Vec<&'static str> {
        let wanted: &[&'static str] = match self.platform.as_str() {
            "cloudfoundry" => &["user_id"],
            "kubernetes" => &["username", "uid", "groups", "extra"],
            _ => &[],
        };
        wanted
            .iter()
            .copied()
            .filter(|key| !self.value.contains_key(*key))
            .collect()
    }

    /// Whether a body's context names the same platform. A context without a platform agrees.
    pub fn agrees_with(&self, context: &Context) -> bool {
        context
            .platform()
            .is_none_or(|platform| platform == self.platform)
    }
}

impl FromStr for OriginatingIdentity {
    type Err = BadIdentity;

    fn from_str(text: &str) -> Result<Self, BadIdentity> {
        let (platform, encoded) = text.trim().split_once(' ').ok_or(BadIdentity::Shape)?;
        let encoded = encoded.trim_start();
        if platform.is_empty() || encoded.contains(' ') {
            return Err(BadIdentity::Shape);
        }
        let json = LENIENT.decode(encoded).map_err(|_| BadIdentity::Base64)?;
        let value = serde_json::from_slice(&json).map_err(|_| BadIdentity::Json)?;
        Ok(Self {
            platform: platform.to_owned(),
            value,
        })
    }
}

/// As on the wire.
impl fmt::Display for OriginatingIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let json = serde_json::to_vec(&self.value).map_err(|_| fmt::Error)?;
        write!(f, "{} {}", self.platform, STANDARD.encode(json))
    }
}

impl fmt::Debug for OriginatingIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { platform, value } = self;
        let mut shown = value.clone();
        if let Some(extra) = shown.get_mut("extra") {
            *extra = Value::from("***");
        }
        f.debug_struct("OriginatingIdentity")
            .field("platform", platform)
            .field("value", &shown)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn identity(platform: &str, value: Value) -> OriginatingIdentity {
        let Value::Object(value) = value else {
            panic!("not an object")
        };
        OriginatingIdentity {
            platform: platform.to_owned(),
            value,
        }
    }

    #[test]
    fn reads_what_it_writes() {
        let one = identity(
            "cloudfoundry",
            json!({"user_id": "683ea748-3092-4ff4-b656-39cacc4d5360"}),
        );
        assert_eq!(one.to_string().parse(), Ok(one.clone()));
        assert_eq!(one.to_string().trim_end_matches('=').parse(), Ok(one));
    }

    #[test]
    fn says_what_is_wrong() {
        let cases = [
            ("", BadIdentity::Shape),
            ("cloudfoundry", BadIdentity::Shape),
            ("cloudfoundry ", BadIdentity::Shape),
            ("cloudfoundry e30= e30=", BadIdentity::Shape),
            ("cloudfoundry !!!", BadIdentity::Base64),
            ("cloudfoundry aGVsbG8=", BadIdentity::Json),
            ("cloudfoundry W10=", BadIdentity::Json),
        ];
        for (text, wanted) in cases {
            assert_eq!(text.parse::<OriginatingIdentity>(), Err(wanted), "{text}");
        }
    }

    #[test]
    fn knows_both_profiles() {
        assert_eq!(identity("cloudfoundry", json!({})).missing(), ["user_id"]);
        assert_eq!(
            identity("kubernetes", json!({"username": "u", "groups": []})).missing(),
            ["uid", "extra"]
        );
        assert!(identity("nomad", json!({})).missing().is_empty());
    }

    #[test]
    fn does_not_print_extra() {
        let one = identity(
            "kubernetes",
            json!({"username": "duke", "extra": {"token": ["hunter2"]}}),
        );
        let shown = format!("{one:?}");
        assert!(
            shown.contains("duke") && !shown.contains("hunter2"),
            "{shown}"
        );
    }
}
