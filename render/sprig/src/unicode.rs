//! Letters as Go's `unicode` package knows them: its version of Unicode, and its simple mappings of
//! one letter to one. ASCII is decided here, the rest by the tables that the oracle writes.

mod table;

/// First and last letter, and the distance between members.
type Range = (u32, u32, u32);

fn inside(ranges: &[Range], c: char) -> bool {
    let code = u32::from(c);
    let after = ranges.partition_point(|(first, _, _)| *first <= code);
    let Some((first, last, stride)) = after.checked_sub(1).and_then(|at| ranges.get(at)) else {
        return false;
    };
    code <= *last && (code - first) % stride == 0
}

pub(crate) fn is_upper(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_uppercase()
    } else {
        inside(table::UPPER, c)
    }
}

pub(crate) fn is_lower(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_lowercase()
    } else {
        inside(table::LOWER, c)
    }
}

pub(crate) fn is_title(c: char) -> bool {
    inside(table::TITLE, c)
}

pub(crate) fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphabetic()
    } else {
        inside(table::LETTER, c)
    }
}

/// A decimal digit.
pub(crate) fn is_digit(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_digit()
    } else {
        inside(table::DIGIT, c)
    }
}

/// A digit, or another sign for a number.
pub(crate) fn is_number(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_digit()
    } else {
        inside(table::NUMBER, c)
    }
}

pub(crate) fn is_punct(c: char) -> bool {
    inside(table::PUNCT, c)
}

pub(crate) fn to_upper(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_uppercase()
    } else {
        mapped(c, |(upper, _, _)| upper, 0)
    }
}

pub(crate) fn to_lower(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_lowercase()
    } else {
        mapped(c, |(_, lower, _)| lower, 1)
    }
}

pub(crate) fn to_title(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_uppercase()
    } else {
        mapped(c, |(_, _, title)| title, 0)
    }
}

/// A delta that stands for pairs: upper case at even places from the start, lower case at odd ones.
const PAIRS: i32 = 0x11_0000;

fn mapped(c: char, choose: impl Fn((i32, i32, i32)) -> i32, odd: u32) -> char {
    let code = u32::from(c);
    let after = table::CASES.partition_point(|(first, _, _)| *first <= code);
    let Some((first, last, deltas)) = after.checked_sub(1).and_then(|at| table::CASES.get(at))
    else {
        return c;
    };
    if code > *last {
        return c;
    }
    let delta = choose(*deltas);
    let code = if delta >= PAIRS {
        first + ((code - first) & !1 | odd)
    } else {
        code.wrapping_add_signed(delta)
    };
    char::from_u32(code).unwrap_or(c)
}
