//! Zones in a text: offsets such as `+02:00`, and abbreviations such as `CEST`.

use super::{Bad, Offset, Read, digits};

/// Seconds east.
pub(super) fn offset(text: &mut &str, form: Offset) -> Read<i32> {
    let mut rest = *text;
    let sign = match rest.chars().next() {
        Some('+') => 1,
        Some('-') => -1,
        // Go looks at the sign last; nothing else can be told apart by that.
        _ => return Err(Bad::Form),
    };
    rest = &rest[1..];
    let mut group = |wanted: bool, first: bool| -> Read<i32> {
        if !wanted {
            return Ok(0);
        }
        if form.colon && !first {
            rest = rest.strip_prefix(':').ok_or(Bad::Form)?;
        }
        let number = digits(&mut rest, 2)?;
        i32::try_from(number).map_err(|_| Bad::Form)
    };
    let hours = group(true, true)?;
    let minutes = group(form.minutes, false)?;
    let seconds = group(form.seconds, false)?;
    *text = rest;
    if hours > 24 {
        return Err(Bad::Range("time zone offset hour"));
    }
    if minutes > 60 {
        return Err(Bad::Range("time zone offset minute"));
    }
    if seconds > 60 {
        return Err(Bad::Range("time zone offset second"));
    }
    Ok(sign * (hours * 3600 + minutes * 60 + seconds))
}

/// How many bytes an abbreviation takes: three or four capitals, five with a T at the end, or an
/// offset behind `GMT` or alone.
pub(super) fn name_width(text: &str) -> Option<usize> {
    if text.len() < 3 {
        return None;
    }
    if text.starts_with("ChST") || text.starts_with("MeST") {
        return Some(4);
    }
    if let Some(behind) = text.strip_prefix("GMT") {
        return Some(3 + signed_width(behind));
    }
    if text.starts_with(['+', '-']) {
        let width = signed_width(text);
        return (width > 0).then_some(width);
    }
    let capitals = text
        .bytes()
        .take(6)
        .take_while(u8::is_ascii_uppercase)
        .count();
    let bytes = text.as_bytes();
    match capitals {
        5 if bytes[4] == b'T' => Some(5),
        4 if bytes[3] == b'T' || text.starts_with("WITA") => Some(4),
        3 => Some(3),
        _ => None,
    }
}

/// The width of `+3` or `-11`; 0 when it is none, or more than a day.
fn signed_width(text: &str) -> usize {
    let Some(behind) = text.strip_prefix(['+', '-']) else {
        return 0;
    };
    let count = behind.bytes().take_while(u8::is_ascii_digit).count();
    match behind[..count].parse::<u64>() {
        Ok(hours) if hours <= 23 => 1 + count,
        _ => 0,
    }
}
