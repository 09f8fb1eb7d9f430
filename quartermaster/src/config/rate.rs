//! A rule of the rate limit: `N-UNIT[:/path[:METHOD]]`, as the old server spelled it.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// So many calls in so long, everywhere or at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) count: NonZeroU32,
    pub(crate) per: Duration,
    pub(crate) path: Option<String>,
    pub(crate) method: Option<String>,
}

const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |why: &str| {
            format!("{text:?} is no rate ({why}); write \"1000-M\" or \"10-M:/v1/platforms:POST\"")
        };
        let mut parts = text.splitn(3, ':');
        let rate = parts.next().unwrap_or_default();
        let (count, unit) = rate
            .split_once('-')
            .ok_or_else(|| wrong("there is no `-`"))?;
        let count = count
            .parse()
            .map_err(|_| wrong("the number must be 1 or more"))?;
        let seconds = match unit {
            "S" => 1,
            "M" => 60,
            "H" => 3600,
            "D" => 86_400,
            _ => return Err(wrong("the unit is S, M, H or D")),
        };
        let path = parts.next().map(str::to_owned);
        if path.as_ref().is_some_and(|path| !path.starts_with('/')) {
            return Err(wrong("a path begins with `/`"));
        }
        let method = parts.next().map(str::to_owned);
        if let Some(method) = &method
            && !METHODS.contains(&method.as_str())
        {
            return Err(wrong("the method is GET, POST, PUT, PATCH or DELETE"));
        }
        Ok(Self {
            count,
            per: Duration::from_secs(seconds),
            path,
            method,
        })
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;

    #[test]
    fn reads_all_three_forms() {
        let rate: Rate = "1000-M".parse().unwrap();
        assert_eq!((rate.count.get(), rate.per.as_secs()), (1000, 60));
        assert_eq!((rate.path, rate.method), (None, None));
        let rate: Rate = "10-S:/v1/platforms:POST".parse().unwrap();
        assert_eq!(rate.path.as_deref(), Some("/v1/platforms"));
        assert_eq!(rate.method.as_deref(), Some("POST"));
    }

    #[test]
    fn says_what_is_wrong() {
        for (text, why) in [
            ("1000", "there is no"),
            ("0-M", "1 or more"),
            ("5-W", "S, M, H or D"),
            ("5-M:v1", "begins with"),
            ("5-M:/v1:FETCH", "GET, POST"),
        ] {
            let error = text.parse::<Rate>().unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
