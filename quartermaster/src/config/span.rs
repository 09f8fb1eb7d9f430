//! Durations as people write them: `30s`, `1h30m`, `500ms`. Every duration of the configuration is one.
//!
//! The rule: a number without a unit is refused, because half of its readers would guess wrong.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A duration that was written as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span(pub(crate) Duration);

/// Largest first: that is also the order in which they are printed.
const UNITS: [(&str, u64); 5] = [
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("m", 60_000),
    ("s", 1_000),
    ("ms", 1),
];

impl Span {
    pub(crate) fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{text:?} is no duration; write it as \"30s\", \"15m\" or \"1h30m\"");
        let mut rest = text.trim();
        if rest.is_empty() {
            return Err(wrong());
        }
        let mut millis: u64 = 0;
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
            let (number, after) = rest.split_at(digits);
            let number: u64 = number.parse().map_err(|_| wrong())?;
            let letters = after
                .find(|c: char| c.is_ascii_digit())
                .unwrap_or(after.len());
            let (unit, after) = after.split_at(letters);
            let (_, size) = UNITS
                .iter()
                .find(|(name, _)| *name == unit)
                .ok_or_else(wrong)?;
            millis = number
                .checked_mul(*size)
                .and_then(|more| millis.checked_add(more))
                .ok_or_else(wrong)?;
            rest = after;
        }
        Ok(Self(Duration::from_millis(millis)))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = u64::try_from(self.0.as_millis()).unwrap_or(u64::MAX);
        if left == 0 {
            return f.write_str("0s");
        }
        for (unit, size) in UNITS {
            if left >= size {
                write!(f, "{}{unit}", left / size)?;
                left %= size;
            }
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Span;
    use std::time::Duration;

    #[test]
    fn reads_what_people_write() {
        for (text, millis) in [
            ("500ms", 500),
            ("30s", 30_000),
            ("1h30m", 5_400_000),
            ("7d", 604_800_000),
            ("0s", 0),
        ] {
            assert_eq!(
                text.parse(),
                Ok(Span(Duration::from_millis(millis))),
                "{text}"
            );
        }
        assert_eq!("1h30m".parse::<Span>().unwrap().to_string(), "1h30m");
        assert_eq!("168h".parse::<Span>().unwrap().to_string(), "7d");
    }

    #[test]
    fn refuses_what_could_mean_two_things() {
        for text in [
            "",
            "30",
            "s",
            "30 s",
            "-1s",
            "1.5s",
            "10x",
            "99999999999999999999s",
        ] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }
}
