//! `time.ParseInLocation`: a text read by a layout. What does not fit is refused in Go's words.

mod zone_text;

use super::civil::{days, days_before, days_in, is_leap};
use super::layout::{MONTHS, Offset, Part, WEEKDAYS, next};
use super::time::Time;
use super::zone::Zone;

/// What went wrong with one part.
enum Bad {
    /// It is not what the layout says.
    Form,
    /// It is a number that such a part cannot have.
    Range(&'static str),
}

type Read<T> = Result<T, Bad>;

/// What has been read so far.
#[derive(Default)]
struct Fields {
    year: i64,
    month: Option<u32>,
    day: Option<u32>,
    year_day: Option<u32>,
    hour: u32,
    minute: u32,
    second: u32,
    nanos: u32,
    pm: bool,
    am: bool,
    utc: bool,
    offset: Option<i32>,
    zone_name: Option<String>,
}

/// The time, or Go's text about why not.
pub(super) fn parse(layout: &str, source: &str, local: &Zone) -> Result<Time, String> {
    let refused = |message: &str| format!("parsing time {}{message}", quoted(source));
    let cannot = |part: &str, at: &[u8]| {
        refused(&format!(
            " as {}: cannot parse {} as {}",
            quoted(layout),
            quoted(at),
            quoted(part)
        ))
    };
    let mut fields = Fields::default();
    let (mut pattern, mut text) = (layout, source);
    while let Some((before, part, word, behind)) = next(pattern) {
        text = skip(text, before).map_err(|at| cannot(before, at))?;
        pattern = behind;
        let hold = text;
        match fields.read(part, &mut text, behind) {
            Ok(()) => {}
            Err(Bad::Form) => return Err(cannot(word, hold.as_bytes())),
            Err(Bad::Range(what)) => return Err(refused(&format!(": {what} out of range"))),
        }
    }
    text = skip(text, pattern).map_err(|at| cannot(pattern, at))?;
    if !text.is_empty() {
        return Err(refused(&format!(": extra text: {}", quoted(text))));
    }
    fields.date().map_err(refused)?;
    Ok(fields.time(local))
}

impl Fields {
    fn read(&mut self, part: Part, text: &mut &str, behind: &str) -> Read<()> {
        match part {
            Part::Year => {
                let year = i64::from(digits(text, 2)?);
                self.year = year + if year >= 69 { 1900 } else { 2000 };
            }
            Part::LongYear => self.year = i64::from(digits(text, 4)?),
            Part::Month => self.month = Some(name(text, &MONTHS, 3)? + 1),
            Part::LongMonth => self.month = Some(name(text, &MONTHS, usize::MAX)? + 1),
            Part::NumMonth | Part::ZeroMonth => {
                let month = number(text, part == Part::ZeroMonth)?;
                if !(1..=12).contains(&month) {
                    return Err(Bad::Range("month"));
                }
                self.month = Some(month);
            }
            Part::Weekday => {
                name(text, &WEEKDAYS, 3)?;
            }
            Part::LongWeekday => {
                name(text, &WEEKDAYS, usize::MAX)?;
            }
            Part::Day | Part::UnderDay | Part::ZeroDay => {
                if part == Part::UnderDay {
                    *text = text.strip_prefix(' ').unwrap_or(text);
                }
                self.day = Some(number(text, part == Part::ZeroDay)?);
            }
            Part::UnderYearDay | Part::ZeroYearDay => {
                let fixed = part == Part::ZeroYearDay;
                for _ in 0..2 {
                    if !fixed {
                        *text = text.strip_prefix(' ').unwrap_or(text);
                    }
                }
                let count = text.bytes().take(3).take_while(u8::is_ascii_digit).count();
                if count == 0 || (fixed && count != 3) {
                    return Err(Bad::Form);
                }
                self.year_day = Some(digits(text, count)?);
            }
            Part::Hour => self.hour = within(number(text, false)?, 24, "hour")?,
            Part::Hour12 | Part::ZeroHour12 => {
                let hour = number(text, part == Part::ZeroHour12)?;
                self.hour = within(hour, 13, "hour")?;
            }
            Part::Minute | Part::ZeroMinute => {
                let minute = number(text, part == Part::ZeroMinute)?;
                self.minute = within(minute, 60, "minute")?;
            }
            Part::Second | Part::ZeroSecond => {
                let second = number(text, part == Part::ZeroSecond)?;
                self.second = within(second, 60, "second")?;
                self.unasked_fraction(text, behind)?;
            }
            Part::UpperPm => self.half(text, "PM", "AM")?,
            Part::LowerPm => self.half(text, "pm", "am")?,
            Part::Offset(form) => self.offset(text, form)?,
            Part::ZoneName => self.zone(text)?,
            Part::Fraction(_, count) => {
                let (fraction, rest) = split(text, 1 + count)?;
                self.nanos = nanos(fraction)?;
                *text = rest;
            }
            Part::ShortFraction(..) => {
                // It may be left out.
                if let Some(width) = fraction_width(text) {
                    let (fraction, rest) = split(text, width)?;
                    self.nanos = nanos(fraction)?;
                    *text = rest;
                }
            }
        }
        Ok(())
    }

    /// Seconds may have a fraction even if the layout has none.
    fn unasked_fraction(&mut self, text: &mut &str, behind: &str) -> Read<()> {
        let asked = next(behind).is_some_and(|(_, part, _, _)| {
            matches!(part, Part::Fraction(..) | Part::ShortFraction(..))
        });
        match fraction_width(text) {
            Some(width) if !asked => {
                let (fraction, rest) = split(text, width)?;
                self.nanos = nanos(fraction)?;
                *text = rest;
            }
            _ => {}
        }
        Ok(())
    }

    fn half(&mut self, text: &mut &str, pm: &str, am: &str) -> Read<()> {
        if let Some(rest) = text.strip_prefix(pm) {
            (self.pm, *text) = (true, rest);
        } else if let Some(rest) = text.strip_prefix(am) {
            (self.am, *text) = (true, rest);
        } else {
            return Err(Bad::Form);
        }
        Ok(())
    }

    fn offset(&mut self, text: &mut &str, form: Offset) -> Read<()> {
        if form.z
            && let Some(rest) = text.strip_prefix('Z')
        {
            (self.utc, *text) = (true, rest);
            return Ok(());
        }
        self.offset = Some(zone_text::offset(text, form)?);
        Ok(())
    }

    fn zone(&mut self, text: &mut &str) -> Read<()> {
        if let Some(rest) = text.strip_prefix("UTC") {
            (self.utc, *text) = (true, rest);
            return Ok(());
        }
        let width = zone_text::name_width(text).ok_or(Bad::Form)?;
        let (name, rest) = split(text, width)?;
        self.zone_name = Some(name.to_owned());
        *text = rest;
        Ok(())
    }

    /// Completes the date and checks it.
    fn date(&mut self) -> Result<(), &'static str> {
        if self.pm && self.hour < 12 {
            self.hour += 12;
        } else if self.am && self.hour == 12 {
            self.hour = 0;
        }
        if let Some(year_day) = self.year_day {
            self.apply_year_day(year_day)?;
        }
        let month = *self.month.get_or_insert(1);
        let day = *self.day.get_or_insert(1);
        if day < 1 || day > days_in(month, self.year) {
            return Err(": day out of range");
        }
        Ok(())
    }

    fn apply_year_day(&mut self, year_day: u32) -> Result<(), &'static str> {
        let leap = is_leap(self.year);
        let (month, day) = match year_day {
            60 if leap => (2, 29),
            given => {
                let counted = if leap && given > 60 { given - 1 } else { given };
                if !(1..=365).contains(&counted) {
                    return Err(": day-of-year out of range");
                }
                let month = (1..=12).rev().find(|month| days_before(*month) < counted);
                let month = month.unwrap_or(1);
                (month, counted - days_before(month))
            }
        };
        if self.month.is_some_and(|known| known != month) {
            return Err(": day-of-year does not match month");
        }
        if self.day.is_some_and(|known| known != day) {
            return Err(": day-of-year does not match day");
        }
        (self.month, self.day) = (Some(month), Some(day));
        Ok(())
    }

    fn time(&self, local: &Zone) -> Time {
        let day = i64::from(self.day.unwrap_or(1));
        let days = days(self.year, self.month.unwrap_or(1), day);
        let as_utc = days * 86_400
            + i64::from(self.hour) * 3600
            + i64::from(self.minute) * 60
            + i64::from(self.second);
        let at = |seconds, zone| Time {
            seconds,
            nanos: self.nanos,
            zone,
        };
        if self.utc {
            return at(as_utc, Zone::Utc);
        }
        let name = self.zone_name.as_deref().unwrap_or("");
        if let Some(offset) = self.offset {
            let seconds = as_utc - i64::from(offset);
            let (here, known) = local.at(seconds);
            let zone = if here == offset && (name.is_empty() || name == known) {
                local.clone()
            } else {
                fixed(name, offset)
            };
            return at(seconds, zone);
        }
        if name.is_empty() {
            return at(local.resolve(as_utc), local.clone());
        }
        if let Some(offset) = local.offset_of(name, as_utc) {
            return at(as_utc - i64::from(offset), local.clone());
        }
        // A name that means nothing here; `GMT-3` at least tells its offset.
        let hours: i32 = name
            .strip_prefix("GMT")
            .and_then(|hours| hours.parse().ok())
            .unwrap_or(0);
        at(as_utc, fixed(name, hours * 3600))
    }
}

fn fixed(name: &str, offset: i32) -> Zone {
    Zone::Fixed {
        name: name.into(),
        offset,
    }
}

fn within(number: u32, end: u32, what: &'static str) -> Read<u32> {
    if number < end {
        Ok(number)
    } else {
        Err(Bad::Range(what))
    }
}

/// So many bytes, and the rest.
fn split(text: &str, width: usize) -> Read<(&str, &str)> {
    text.split_at_checked(width).ok_or(Bad::Form)
}

/// So many digits as a number.
fn digits(text: &mut &str, count: usize) -> Read<u32> {
    let (number, rest) = split(text, count)?;
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Bad::Form);
    }
    *text = rest;
    number.parse().map_err(|_| Bad::Form)
}

/// One or two digits; two when `fixed`.
fn number(text: &mut &str, fixed: bool) -> Read<u32> {
    let count = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    if count == 0 || (fixed && count == 1) {
        return Err(Bad::Form);
    }
    digits(text, count)
}

/// The place of a name in a list, of which the first letters count; case does not matter.
fn name(text: &mut &str, names: &[&str], letters: usize) -> Read<u32> {
    for (index, name) in names.iter().enumerate() {
        let name = &name[..name.len().min(letters)];
        if let Some((start, rest)) = text.split_at_checked(name.len())
            && start.eq_ignore_ascii_case(name)
        {
            *text = rest;
            return u32::try_from(index).map_err(|_| Bad::Form);
        }
    }
    Err(Bad::Form)
}

/// The width of a point and the digits behind it.
fn fraction_width(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(['.', ','])?;
    let count = rest.bytes().take_while(u8::is_ascii_digit).count();
    (count > 0).then_some(1 + count)
}

/// A fraction of a second; digits beyond the ninth do not count.
fn nanos(fraction: &str) -> Read<u32> {
    let digits = fraction.strip_prefix(['.', ',']).ok_or(Bad::Form)?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Bad::Form);
    }
    let digits = &digits[..digits.len().min(9)];
    format!("{digits:0<9}").parse().map_err(|_| Bad::Form)
}

/// Leaves out what the layout has before a part; any number of spaces stands for any other.
/// The error is what is left of the text.
fn skip<'a>(mut text: &'a str, before: &str) -> Result<&'a str, &'a [u8]> {
    let mut pattern = before;
    while let Some(c) = pattern.chars().next() {
        if c == ' ' {
            if !text.is_empty() && !text.starts_with(' ') {
                return Err(text.as_bytes());
            }
            pattern = pattern.trim_start_matches(' ');
            text = text.trim_start_matches(' ');
            continue;
        }
        text = text.strip_prefix(c).ok_or_else(|| behind_common(text, c))?;
        pattern = &pattern[c.len_utf8()..];
    }
    Ok(text)
}

/// The text without the bytes that it shares with a letter: Go compares byte by byte.
fn behind_common(text: &str, c: char) -> &[u8] {
    let mut letter = [0; 4];
    let letter = c.encode_utf8(&mut letter).bytes();
    let common = text.bytes().zip(letter).take_while(|(a, b)| a == b).count();
    &text.as_bytes()[common..]
}

/// The package's own quotes: everything beyond ASCII as bytes.
pub(super) fn quoted(text: impl AsRef<[u8]>) -> String {
    let mut out = String::from('"');
    for byte in text.as_ref().iter().copied() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=0x7f => out.push(char::from(byte)),
            byte => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out.push('"');
    out
}
