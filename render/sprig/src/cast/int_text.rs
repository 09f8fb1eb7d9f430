//! `strconv.ParseInt` for 64 bits: a sign, a base that may be told by the prefix (base 0), and then
//! also underscores between digits.

/// The number, when the text is one and it fits.
pub(crate) fn parse_int(text: &str, base: u32) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let magnitude = i128::from(parse_unsigned(digits, base)?);
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}

fn parse_unsigned(text: &str, base: u32) -> Option<u64> {
    if base != 0 {
        return plain(text, base);
    }
    let lower = text.to_ascii_lowercase();
    let (base, digits) = if let Some(rest) = lower.strip_prefix("0x") {
        (16, rest)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (2, rest)
    } else if let Some(rest) = lower.strip_prefix("0o") {
        (8, rest)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (8, &lower[1..])
    } else {
        (10, &lower[..])
    };
    if !digits.contains('_') {
        return plain(digits, base);
    }
    // An underscore stands between digits, or between the prefix and the first digit.
    let prefixed = base != 10;
    let misplaced =
        digits.ends_with('_') || digits.contains("__") || (digits.starts_with('_') && !prefixed);
    if misplaced {
        return None;
    }
    plain(&digits.replace('_', ""), base)
}

fn plain(digits: &str, base: u32) -> Option<u64> {
    if digits.starts_with('+') {
        return None;
    }
    u64::from_str_radix(digits, base).ok()
}
