//! When a token ends, written as Go's `time.RFC1123Z`.

use jiff::{Timestamp, fmt::strtime};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const FORMAT: &str = "%a, %d %b %Y %H:%M:%S %z";
/// Tokens count as ended this long before their end.
const EARLY: i64 = 10;

/// When a token ends; never, when nobody said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Expiry(Option<Timestamp>);

impl Expiry {
    /// In so many seconds from now.
    pub(crate) fn in_seconds(seconds: Option<u64>) -> Self {
        let end = seconds.and_then(|seconds| {
            let seconds = i64::try_from(seconds).ok()?;
            Timestamp::from_second(Timestamp::now().as_second().checked_add(seconds)?).ok()
        });
        Self(end)
    }

    /// Whether it has ended, or is about to.
    pub(crate) fn is_over(self) -> bool {
        let now = Timestamp::now().as_second();
        self.0.is_some_and(|end| end.as_second() - EARLY <= now)
    }

    /// For people.
    pub(crate) fn told(self) -> String {
        self.0
            .map_or_else(|| "never".to_owned(), |end| end.to_string())
    }
}

impl Serialize for Expiry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = match self.0 {
            Some(end) => end.strftime(FORMAT).to_string(),
            None => "Mon, 01 Jan 0001 00:00:00 +0000".to_owned(),
        };
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Expiry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let end = strtime::parse(FORMAT, &text)
            .and_then(|parts| parts.to_timestamp())
            .ok();
        // Go's zero time means that nobody said.
        Ok(Self(end.filter(|end| end.as_second() > 0)))
    }
}

#[cfg(test)]
mod tests {
    use super::Expiry;

    #[test]
    fn it_is_read_and_written_as_go_does() {
        let text = "\"Sun, 15 Nov 2026 20:03:07 +0000\"";
        let expiry: Expiry = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&expiry).unwrap(), text);
        let local: Expiry = serde_json::from_str("\"Sun, 15 Nov 2026 22:03:07 +0200\"").unwrap();
        assert_eq!(local, expiry);
        let zero = "\"Mon, 01 Jan 0001 00:00:00 +0000\"";
        assert_eq!(serde_json::from_str::<Expiry>(zero).unwrap(), Expiry(None));
        assert!(!Expiry(None).is_over());
        assert!(Expiry::in_seconds(Some(5)).is_over());
        assert!(!Expiry::in_seconds(Some(60)).is_over());
    }
}
