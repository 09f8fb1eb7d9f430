//! Time zones: UTC, the local one, one by name, or a fixed offset. The rules come from the IANA
//! database in the program, so no file is read.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};

/// Where a time is told.
#[derive(Debug, Clone)]
pub(super) enum Zone {
    Utc,
    /// By rules; `name` is what Go's `Location` prints.
    Rules {
        name: Arc<str>,
        rules: TimeZone,
    },
    /// Always the same number of seconds east.
    Fixed {
        name: Arc<str>,
        offset: i32,
    },
}

impl Zone {
    /// `time.LoadLocation`; `None` when there is no such zone.
    pub(super) fn load(name: &str, local: &Self) -> Option<Self> {
        match name {
            "" | "UTC" => Some(Self::Utc),
            "Local" => Some(local.clone()),
            name => {
                let rules = TimeZoneDatabase::bundled().get(name).ok()?;
                // The database does not mind the case of letters; Go's files do.
                (rules.iana_name() == Some(name)).then(|| Self::Rules {
                    name: name.into(),
                    rules,
                })
            }
        }
    }

    /// The local zone by the name that the caller gave; unknown ones are UTC.
    pub(super) fn local(name: &str) -> Self {
        match TimeZoneDatabase::bundled().get(name) {
            Ok(rules) => Self::Rules {
                name: "Local".into(),
                rules,
            },
            Err(_) => Self::Utc,
        }
    }

    /// Seconds east of Greenwich, and the abbreviation, at a time.
    pub(super) fn at(&self, seconds: i64) -> (i32, String) {
        match self {
            Self::Utc => (0, "UTC".to_owned()),
            Self::Fixed { name, offset } => (*offset, name.to_string()),
            Self::Rules { rules, .. } => {
                let seconds = seconds.clamp(Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
                let time = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
                let info = rules.to_offset_info(time);
                (info.offset().seconds(), info.abbreviation().to_owned())
            }
        }
    }

    /// The offset that an abbreviation means here, around a time told as if it were UTC.
    pub(super) fn offset_of(&self, name: &str, seconds: i64) -> Option<i32> {
        // A zone has few names; they are found by looking at the time itself and half a year away.
        const HALF_YEAR: i64 = 182 * 86_400;
        [0, HALF_YEAR, -HALF_YEAR]
            .into_iter()
            .map(|away| self.at(seconds + away))
            .find(|(_, known)| known == name)
            .map(|(offset, _)| offset)
    }

    /// The time that a local date and time is, given as if it were UTC.
    pub(super) fn resolve(&self, as_utc: i64) -> i64 {
        let (guess, _) = self.at(as_utc);
        let (offset, _) = self.at(as_utc - i64::from(guess));
        as_utc - i64::from(offset)
    }

    /// What `Location` prints.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Utc => "UTC",
            Self::Rules { name, .. } | Self::Fixed { name, .. } => name,
        }
    }
}
