//! Times of a binding: `yyyy-mm-ddThh:mm:ss.sZ`, always UTC, always with a fraction (B56).
//!
//! Written by hand, so that this crate needs no clock and no calendar of others. The rule: what
//! [`Timestamp::parse`] takes is a real day and comes back the same instant.

use std::fmt;

/// An instant, in the years 0000 to 9999. Later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    seconds: i64,
    nanos: u32,
}

/// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z: what four digits of a year can say.
const FIRST: i64 = -62_167_219_200;
const LAST: i64 = 253_402_300_799;

const DAY: i64 = 86_400;

impl Timestamp {
    /// Seconds and nanoseconds since 1970. `None` outside the years 0000 to 9999 and for a whole second
    /// or more in `nanos`.
    pub fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
        let sound = (FIRST..=LAST).contains(&seconds) && nanos < 1_000_000_000;
        sound.then_some(Self { seconds, nanos })
    }

    /// Whole seconds since 1970.
    pub fn unix_seconds(self) -> i64 {
        self.seconds
    }

    /// Nanoseconds within the second.
    pub fn nanos(self) -> u32 {
        self.nanos
    }

    /// Reads the exact shape; `None` for anything else. Digits below a nanosecond are dropped.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
        let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
        let (time, fraction) = time.split_once('.')?;
        let [hour, minute, second] = numbers(time, ':', [2, 2, 2])?;
        let sound = (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second < 60;
        if !sound {
            return None;
        }
        Some(Self {
            seconds: days_before(year, month, day) * DAY + hour * 3600 + minute * 60 + second,
            nanos: nanos(fraction)?,
        })
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seconds, nanos } = *self;
        let (year, month, day) = civil(seconds.div_euclid(DAY));
        let rest = seconds.rem_euclid(DAY);
        let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
        let fraction = format!("{nanos:09}");
        let fraction = fraction.trim_end_matches('0');
        let fraction = if fraction.is_empty() { "0" } else { fraction };
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction}Z"
        )
    }
}

/// Three numbers of exactly so many digits.
fn numbers(text: &str, between: char, digits: [usize; 3]) -> Option<[i64; 3]> {
    let mut parts = text.split(between);
    let mut numbers = [0; 3];
    for (number, wanted) in numbers.iter_mut().zip(digits) {
        let part = parts.next()?;
        if part.len() != wanted || !all_digits(part) {
            return None;
        }
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

fn nanos(fraction: &str) -> Option<u32> {
    if fraction.is_empty() || !all_digits(fraction) {
        return None;
    }
    let kept = &fraction[..fraction.len().min(9)];
    let missing = u32::try_from(9 - kept.len()).ok()?;
    Some(kept.parse::<u32>().ok()? * 10_u32.pow(missing))
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to the first of January of a year.
fn days_before_year(year: i64) -> i64 {
    let before = year - 1;
    let leaps = |year: i64| year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    (year - 1970) * 365 + leaps(before) - leaps(1969)
}

fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let months: i64 = (1..month).map(|month| days_in(year, month)).sum();
    days_before_year(year) + months + day - 1
}

/// The date of a day counted from 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    // A guess that is at most one year off, then corrected.
    let mut year = 1970 + days.div_euclid(366);
    while days_before_year(year + 1) <= days {
        year += 1;
    }
    while days_before_year(year) > days {
        year -= 1;
    }
    let mut rest = days - days_before_year(year);
    let mut month = 1;
    while rest >= days_in(year, month) {
        rest -= days_in(year, month);
        month += 1;
    }
    (year, month, rest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_instants() {
        for (text, seconds, nanos) in [
            ("1970-01-01T00:00:00.0Z", 0, 0),
            ("1969-12-31T23:59:59.5Z", -1, 500_000_000),
            ("2000-02-29T12:00:00.0Z", 951_825_600, 0),
            ("2024-02-29T00:00:00.25Z", 1_709_164_800, 250_000_000),
            ("2038-01-19T03:14:08.0Z", 2_147_483_648, 0),
            ("0000-01-01T00:00:00.0Z", FIRST, 0),
            ("9999-12-31T23:59:59.999999999Z", LAST, 999_999_999),
        ] {
            let one = Timestamp::parse(text).unwrap();
            assert_eq!(
                (one.unix_seconds(), one.nanos()),
                (seconds, nanos),
                "{text}"
            );
            assert_eq!(one.to_string(), text);
            assert_eq!(Timestamp::from_unix(seconds, nanos), Some(one));
        }
    }

    #[test]
    fn every_day_of_four_centuries_comes_back() {
        for day in -150_000..150_000 {
            let one = Timestamp::from_unix(day * DAY + 1, 0).unwrap();
            assert_eq!(Timestamp::parse(&one.to_string()), Some(one));
        }
    }

    #[test]
    fn other_shapes_are_none() {
        for text in [
            "",
            "2024-02-29",
            "2024-02-29T00:00:00Z",
            "2024-02-29T00:00:00.Z",
            "2024-02-29T00:00:00.0",
            "2024-02-29T00:00:00.0z",
            "2024-02-29 00:00:00.0Z",
            "2024-02-29T00:00:00.0+00:00",
            "2023-02-29T00:00:00.0Z",
            "1900-02-29T00:00:00.0Z",
            "2024-13-01T00:00:00.0Z",
            "2024-00-01T00:00:00.0Z",
            "2024-01-00T00:00:00.0Z",
            "2024-04-31T00:00:00.0Z",
            "2024-01-01T24:00:00.0Z",
            "2024-01-01T00:60:00.0Z",
            "2024-01-01T00:00:60.0Z",
            "2024-1-01T00:00:00.0Z",
            "02024-01-01T00:00:00.0Z",
            "2024-01-01T00:00:00.+1Z",
            "+024-01-01T00:00:00.0Z",
            "2024-01-01-01T00:00:00.0Z",
            "2024-01-01T00:00:00.0.0Z",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn out_of_range_is_none() {
        assert_eq!(Timestamp::from_unix(LAST + 1, 0), None);
        assert_eq!(Timestamp::from_unix(FIRST - 1, 0), None);
        assert_eq!(Timestamp::from_unix(0, 1_000_000_000), None);
    }
}
