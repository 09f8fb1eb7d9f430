//! A rule as an operator writes it: `1000-M`, `100-S:/v1/service_brokers`, `10-H:/v1/platforms:POST`.

use http::Method;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// So many requests in so long a time, everywhere or below one path, with any method or one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateRule {
    pub(super) count: NonZeroU32,
    pub(super) period: Duration,
    path: Option<String>,
    method: Option<Method>,
}

/// A rule that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no rate: write COUNT-UNIT[:/PATH[:METHOD]], the unit one of S, M, H, D, as in 1000-M or 10-S:/v1/platforms:POST"
)]
pub struct BadRule(String);

impl RateRule {
    /// Whether a request is counted.
    pub(super) fn covers(&self, method: &Method, path: &str) -> bool {
        let here = self.path.as_deref().is_none_or(|above| below(above, path));
        here && self.method.as_ref().is_none_or(|only| only == method)
    }
}

/// Whether a path is another one or lies below it.
pub(super) fn below(above: &str, path: &str) -> bool {
    let above = above.trim_end_matches('/');
    let rest = path.strip_prefix(above);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl FromStr for RateRule {
    type Err = BadRule;

    fn from_str(text: &str) -> Result<Self, BadRule> {
        read(text).ok_or_else(|| BadRule(text.to_owned()))
    }
}

fn read(text: &str) -> Option<RateRule> {
    let mut parts = text.split(':');
    let (count, unit) = parts.next()?.split_once('-')?;
    let seconds = match unit {
        "S" => 1,
        "M" => 60,
        "H" => 3_600,
        "D" => 86_400,
        _ => return None,
    };
    let path = parts.next();
    let method = parts.next().map(|word| word.parse().ok());
    if parts.next().is_some() || path.is_some_and(|path| !path.starts_with('/')) {
        return None;
    }
    Some(RateRule {
        count: count.parse().ok()?,
        period: Duration::from_secs(seconds),
        path: path.map(str::to_owned),
        method: match method {
            None => None,
            Some(method) => Some(method?),
        },
    })
}

impl fmt::Display for RateRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.period.as_secs() {
            1 => "S",
            60 => "M",
            3_600 => "H",
            _ => "D",
        };
        write!(f, "{}-{unit}", self.count)?;
        if let Some(path) = &self.path {
            write!(f, ":{path}")?;
        }
        if let Some(method) = &self.method {
            write!(f, ":{method}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_written() {
        for text in ["1000-M", "1-S:/v1/x", "5-H:/v1/x:PUT", "9-D:/"] {
            let rule: RateRule = text.parse().unwrap();
            assert_eq!(rule.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_rule_is_named() {
        let bad = [
            "",
            "5",
            "0-M",
            "5-W",
            "x-M",
            "5-M:v1",
            "5-M:/v1:GET:x",
            "-5-M",
        ];
        for text in bad {
            let error = text.parse::<RateRule>().unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
        }
    }

    #[test]
    fn a_path_covers_what_is_below_it_and_not_what_begins_alike() {
        let rule: RateRule = "5-M:/v1/platforms:PUT".parse().unwrap();
        assert!(rule.covers(&Method::PUT, "/v1/platforms"));
        assert!(rule.covers(&Method::PUT, "/v1/platforms/x"));
        assert!(!rule.covers(&Method::PUT, "/v1/platforms2"));
        assert!(!rule.covers(&Method::GET, "/v1/platforms"));
        let everywhere: RateRule = "5-M:/".parse().unwrap();
        assert!(everywhere.covers(&Method::PUT, "/v1/platforms"));
    }
}
