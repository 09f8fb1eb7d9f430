//! A time written in a layout.

use std::fmt::Write;

use super::civil::civil;
use super::layout::{Offset, Part, month_name, next, weekday_name};
use super::time::Time;

/// `Time.Format`.
pub(super) fn format(time: &Time, layout: &str) -> String {
    let (offset, zone) = time.zone.at(time.seconds);
    let at = civil(time.seconds + i64::from(offset));
    let mut out = String::with_capacity(layout.len() + 10);
    let mut rest = layout;
    while let Some((before, part, _, behind)) = next(rest) {
        out.push_str(before);
        rest = behind;
        let hour12 = match at.hour % 12 {
            0 => 12,
            hour => hour,
        };
        // Writing to a string does not fail.
        let _ = match part {
            Part::Year => write!(out, "{:02}", at.year.max(0) % 100),
            Part::LongYear if at.year < 0 => write!(out, "-{:04}", -at.year),
            Part::LongYear => write!(out, "{:04}", at.year),
            Part::Month => write!(out, "{}", &month_name(at.month)[..3]),
            Part::LongMonth => write!(out, "{}", month_name(at.month)),
            Part::NumMonth => write!(out, "{}", at.month),
            Part::ZeroMonth => write!(out, "{:02}", at.month),
            Part::Weekday => write!(out, "{}", &weekday_name(at.weekday)[..3]),
            Part::LongWeekday => write!(out, "{}", weekday_name(at.weekday)),
            Part::Day => write!(out, "{}", at.day),
            Part::UnderDay => write!(out, "{:2}", at.day),
            Part::ZeroDay => write!(out, "{:02}", at.day),
            Part::UnderYearDay => write!(out, "{:3}", at.year_day),
            Part::ZeroYearDay => write!(out, "{:03}", at.year_day),
            Part::Hour => write!(out, "{:02}", at.hour),
            Part::Hour12 => write!(out, "{hour12}"),
            Part::ZeroHour12 => write!(out, "{hour12:02}"),
            Part::Minute => write!(out, "{}", at.minute),
            Part::ZeroMinute => write!(out, "{:02}", at.minute),
            Part::Second => write!(out, "{}", at.second),
            Part::ZeroSecond => write!(out, "{:02}", at.second),
            Part::UpperPm => write!(out, "{}", if at.hour >= 12 { "PM" } else { "AM" }),
            Part::LowerPm => write!(out, "{}", if at.hour >= 12 { "pm" } else { "am" }),
            Part::Offset(form) => write!(out, "{}", offset_text(offset, form)),
            // Without a name, the offset stands in its place.
            Part::ZoneName if zone.is_empty() => {
                let form = Offset {
                    z: false,
                    colon: false,
                    minutes: true,
                    seconds: false,
                };
                write!(out, "{}", offset_text(offset, form))
            }
            Part::ZoneName => write!(out, "{zone}"),
            Part::Fraction(point, count) => {
                write!(out, "{}{}", char::from(point), digits(time.nanos, count))
            }
            Part::ShortFraction(point, count) => {
                let all = digits(time.nanos, count);
                match all.trim_end_matches('0') {
                    "" => Ok(()),
                    digits => write!(out, "{}{digits}", char::from(point)),
                }
            }
        };
    }
    out.push_str(rest);
    out
}

/// The first digits of a fraction of a second.
fn digits(nanos: u32, count: usize) -> String {
    let all = format!("{nanos:09}");
    match all.get(..count) {
        Some(digits) => digits.to_owned(),
        None => format!("{all:0<count$}"),
    }
}

fn offset_text(offset: i32, form: Offset) -> String {
    if form.z && offset == 0 {
        return "Z".to_owned();
    }
    // Whole minutes decide the sign, as in Go.
    let sign = if offset / 60 < 0 { '-' } else { '+' };
    let all = offset.unsigned_abs();
    let (hours, minutes, seconds) = (all / 3600, all / 60 % 60, all % 60);
    let colon = if form.colon { ":" } else { "" };
    let mut text = format!("{sign}{hours:02}");
    if form.minutes {
        text += &format!("{colon}{minutes:02}");
    }
    if form.seconds {
        text += &format!("{colon}{seconds:02}");
    }
    text
}
