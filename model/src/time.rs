//! A moment, in milliseconds since 1970. Stored as an integer, shown as RFC 3339.
//!
//! The rule: nothing here asks what time it is; whoever needs the present is handed it.

use jiff::Timestamp;
use std::fmt;
use std::time::Duration;

/// A moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub i64);

impl Time {
    /// Milliseconds since 1970.
    pub fn millis(self) -> i64 {
        self.0
    }

    /// Reads RFC 3339.
    pub fn parse(text: &str) -> Option<Self> {
        let moment: Timestamp = text.parse().ok()?;
        Some(Self(moment.as_millisecond()))
    }

    /// Later by so much; stops at the end of time instead of wrapping.
    #[must_use]
    pub fn plus(self, by: Duration) -> Self {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(by))
    }

    /// Earlier by so much.
    #[must_use]
    pub fn minus(self, by: Duration) -> Self {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        Self(self.0.saturating_sub(by))
    }

    /// How long after `earlier`; zero when it is not after it (a clock was set back).
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Timestamp::from_millisecond(self.0) {
            Ok(moment) => write!(f, "{moment}"),
            // Beyond what a calendar can say; such a value comes from no clock of ours.
            Err(_) => f.write_str("9999-12-31T23:59:59Z"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_and_reads_rfc_3339() {
        let moment = Time::parse("2024-05-01T10:00:00.123+02:00").unwrap();
        assert_eq!(moment.to_string(), "2024-05-01T08:00:00.123Z");
        assert_eq!(Time::parse("yesterday"), None);
    }

    #[test]
    fn never_wraps() {
        assert_eq!(Time(i64::MAX).plus(Duration::MAX), Time(i64::MAX));
        assert_eq!(Time(0).since(Time(5)), Duration::ZERO);
    }
}
