//! Lengths of time in nanoseconds: written as `1h2m3.5s`, and read.

use super::parse::quoted;

const SECOND: u64 = 1_000_000_000;

/// `Duration.String`.
pub(super) fn text(nanos: i64) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let size = nanos.unsigned_abs();
    if size == 0 {
        return "0s".to_owned();
    }
    if size < SECOND {
        let (unit, name) = match size {
            0..1000 => (1, "ns"),
            1000..1_000_000 => (1000, "µs"),
            _ => (1_000_000, "ms"),
        };
        return format!("{sign}{}{name}", fraction(size, unit));
    }
    let (hours, minutes) = (size / SECOND / 3600, size / SECOND / 60 % 60);
    let seconds = fraction(size % (60 * SECOND), SECOND);
    match (hours, minutes) {
        (0, 0) => format!("{sign}{seconds}s"),
        (0, minutes) => format!("{sign}{minutes}m{seconds}s"),
        (hours, minutes) => format!("{sign}{hours}h{minutes}m{seconds}s"),
    }
}

/// A number of units with as many places as are needed.
fn fraction(size: u64, unit: u64) -> String {
    let (whole, rest) = (size / unit, size % unit);
    if rest == 0 {
        return whole.to_string();
    }
    let places = unit.ilog10() as usize;
    let digits = format!("{rest:0places$}");
    format!("{whole}.{}", digits.trim_end_matches('0'))
}

/// `Duration.Round` to seconds, halves away from zero.
pub(super) fn rounded_to_second(nanos: i64) -> i64 {
    let second = SECOND.cast_signed();
    let rest = nanos % second;
    let whole = nanos - rest;
    if rest.abs() * 2 < second {
        whole
    } else {
        let up = whole.checked_add(second * rest.signum());
        up.unwrap_or(if nanos < 0 { i64::MIN } else { i64::MAX })
    }
}

/// `time.ParseDuration`; the error is Go's text.
pub(super) fn parse(source: &str) -> Result<i64, String> {
    let invalid = || format!("time: invalid duration {}", quoted(source));
    let (negative, mut rest) = match source.as_bytes().first() {
        Some(b'-') => (true, &source[1..]),
        Some(b'+') => (false, &source[1..]),
        _ => (false, source),
    };
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total: u64 = 0;
    let limit = 1_u64 << 63;
    while !rest.is_empty() {
        if !rest.starts_with(|c: char| c == '.' || c.is_ascii_digit()) {
            return Err(invalid());
        }
        let digits = count_digits(rest);
        let whole: u64 = match &rest[..digits] {
            "" => 0,
            text => text
                .parse()
                .ok()
                .filter(|n| *n <= limit)
                .ok_or_else(invalid)?,
        };
        rest = &rest[digits..];
        let mut part = "";
        if let Some(behind) = rest.strip_prefix('.') {
            let count = count_digits(behind);
            part = &behind[..count];
            rest = &behind[count..];
            if digits == 0 && count == 0 {
                return Err(invalid());
            }
        }
        let width = rest.find(|c: char| c == '.' || c.is_ascii_digit());
        let (unit_name, behind) = rest.split_at(width.unwrap_or(rest.len()));
        if unit_name.is_empty() {
            return Err(format!("time: missing unit in duration {}", quoted(source)));
        }
        let Some(unit) = unit(unit_name) else {
            let (unit, source) = (quoted(unit_name), quoted(source));
            return Err(format!("time: unknown unit {unit} in duration {source}"));
        };
        rest = behind;
        let size = whole
            .checked_mul(unit)
            .and_then(|size| size.checked_add(part_of(part, unit)))
            .and_then(|size| total.checked_add(size))
            .filter(|size| *size <= limit);
        total = size.ok_or_else(invalid)?;
    }
    if negative {
        return Ok(total.wrapping_neg().cast_signed());
    }
    i64::try_from(total).map_err(|_| invalid())
}

fn count_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Digits behind the point, in nanoseconds; computed with floats, as Go does.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the result is what Go computes"
)]
fn part_of(digits: &str, unit: u64) -> u64 {
    let (mut value, mut scale) = (0_u64, 1.0_f64);
    for digit in digits.bytes() {
        let next = value * 10 + u64::from(digit - b'0');
        if value > (i64::MAX as u64) / 10 || next > 1 << 63 {
            break;
        }
        value = next;
        scale *= 10.0;
    }
    (value as f64 * (unit as f64 / scale)) as u64
}

fn unit(name: &str) -> Option<u64> {
    Some(match name {
        "ns" => 1,
        "us" | "µs" | "μs" => 1000,
        "ms" => 1_000_000,
        "s" => SECOND,
        "m" => 60 * SECOND,
        "h" => 3600 * SECOND,
        _ => return None,
    })
}
