//! Go's layouts: the reference time `Mon Jan 2 15:04:05 MST 2006` written as one wants times written.

/// A part of a layout that stands for a part of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    LongMonth,
    Month,
    NumMonth,
    ZeroMonth,
    LongWeekday,
    Weekday,
    Day,
    UnderDay,
    ZeroDay,
    UnderYearDay,
    ZeroYearDay,
    Hour,
    Hour12,
    ZeroHour12,
    Minute,
    ZeroMinute,
    Second,
    ZeroSecond,
    LongYear,
    Year,
    UpperPm,
    LowerPm,
    ZoneName,
    Offset(Offset),
    /// `.000`: so many digits, always.
    Fraction(u8, usize),
    /// `.999`: so many digits at most.
    ShortFraction(u8, usize),
}

/// How an offset from UTC is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offset {
    /// `Z` for none at all.
    pub z: bool,
    pub colon: bool,
    pub minutes: bool,
    pub seconds: bool,
}

/// Longer ones first where one begins another.
const WORDS: &[(&str, Part)] = &[
    ("2006", Part::LongYear),
    ("MST", Part::ZoneName),
    ("002", Part::ZeroYearDay),
    ("01", Part::ZeroMonth),
    ("02", Part::ZeroDay),
    ("03", Part::ZeroHour12),
    ("04", Part::ZeroMinute),
    ("05", Part::ZeroSecond),
    ("06", Part::Year),
    ("15", Part::Hour),
    ("__2", Part::UnderYearDay),
    ("PM", Part::UpperPm),
    ("pm", Part::LowerPm),
    ("1", Part::NumMonth),
    ("2", Part::Day),
    ("3", Part::Hour12),
    ("4", Part::Minute),
    ("5", Part::Second),
];

const OFFSETS: &[(&str, Offset)] = &[
    ("070000", offset(false, true, true)),
    ("07:00:00", offset(true, true, true)),
    ("0700", offset(false, true, false)),
    ("07:00", offset(true, true, false)),
    ("07", offset(false, false, false)),
];

const fn offset(colon: bool, minutes: bool, seconds: bool) -> Offset {
    Offset {
        z: false,
        colon,
        minutes,
        seconds,
    }
}

/// The text before the first part, the part, how the layout writes it, and what is behind.
pub(super) fn next(layout: &str) -> Option<(&str, Part, &str, &str)> {
    (0..layout.len())
        .filter(|at| layout.is_char_boundary(*at))
        .find_map(|at| {
            let rest = &layout[at..];
            // `_2006` is an underscore and a year.
            if let Some(behind) = rest.strip_prefix("_2006") {
                return Some((&layout[..=at], Part::LongYear, "2006", behind));
            }
            let (part, width) = begins(rest)?;
            Some((&layout[..at], part, &rest[..width], &rest[width..]))
        })
}

fn begins(text: &str) -> Option<(Part, usize)> {
    let lower = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase());
    if let Some(rest) = text.strip_prefix("Jan") {
        return if rest.starts_with("uary") {
            Some((Part::LongMonth, 7))
        } else if lower(rest) {
            None
        } else {
            Some((Part::Month, 3))
        };
    }
    if let Some(rest) = text.strip_prefix("Mon") {
        return if rest.starts_with("day") {
            Some((Part::LongWeekday, 6))
        } else if lower(rest) {
            None
        } else {
            Some((Part::Weekday, 3))
        };
    }
    if let Some((word, part)) = WORDS.iter().find(|(word, _)| text.starts_with(word)) {
        return Some((*part, word.len()));
    }
    if text.starts_with("_2") {
        return Some((Part::UnderDay, 2));
    }
    match text.as_bytes() {
        [sign @ (b'-' | b'Z'), ..] => {
            let rest = &text[1..];
            let (word, offset) = OFFSETS.iter().find(|(word, _)| rest.starts_with(word))?;
            let offset = Offset {
                z: *sign == b'Z',
                ..*offset
            };
            Some((Part::Offset(offset), 1 + word.len()))
        }
        [sign @ (b'.' | b','), digit @ (b'0' | b'9'), ..] => {
            let digits = &text.as_bytes()[1..];
            let count = digits.iter().take_while(|byte| *byte == digit).count();
            if digits.get(count).is_some_and(u8::is_ascii_digit) {
                return None;
            }
            let part = if *digit == b'0' {
                Part::Fraction(*sign, count)
            } else {
                Part::ShortFraction(*sign, count)
            };
            Some((part, 1 + count))
        }
        _ => None,
    }
}

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(super) const WEEKDAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// The name of a month from 1.
pub(super) fn month_name(month: u32) -> &'static str {
    let index = usize::try_from(month).unwrap_or(0).wrapping_sub(1);
    MONTHS.get(index).copied().unwrap_or("%!Month")
}

/// The name of a weekday from 0.
pub(super) fn weekday_name(weekday: u32) -> &'static str {
    let index = usize::try_from(weekday).unwrap_or(0);
    WEEKDAYS.get(index).copied().unwrap_or("%!Weekday")
}
