//! Float constants: decimal ones by Rust's own reading, which is exact; hexadecimal ones here.

/// A float as Go's `ParseFloat` reads it; too large is no float.
pub(super) fn parse(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !underscores_fit(text) {
        return None;
    }
    let negative = text.starts_with('-');
    let x = match unsigned.get(..2) {
        Some("0x" | "0X") => hexadecimal(&unsigned[2..])?,
        _ => decimal(unsigned)?,
    };
    x.is_finite().then_some(if negative { -x } else { x })
}

fn decimal(text: &str) -> Option<f64> {
    // Words such as "inf" are read by Rust, but no constant looks like that.
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    if text.contains('_') {
        text.replace('_', "").parse().ok()
    } else {
        text.parse().ok()
    }
}

/// Digits, point and a binary exponent, which must be there.
fn hexadecimal(text: &str) -> Option<f64> {
    let text = text.replace('_', "");
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let mut exponent: i64 = exponent.parse::<i32>().ok()?.into();
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    // 60 bits and one that says whether anything was lost: enough to round once, and rightly.
    let mut bits: u64 = 0;
    for (c, after_point) in whole
        .chars()
        .map(|c| (c, false))
        .chain(fraction.chars().map(|c| (c, true)))
    {
        let digit = u64::from(c.to_digit(16)?);
        if bits >> 59 == 0 {
            bits = bits << 4 | digit;
            exponent -= if after_point { 4 } else { 0 };
        } else {
            bits |= u64::from(digit != 0);
            exponent += if after_point { 0 } else { 4 };
        }
    }
    Some(scale(bits, exponent))
}

/// `bits` × 2^`exponent`, rounded once.
fn scale(bits: u64, exponent: i64) -> f64 {
    if bits == 0 {
        return 0.0;
    }
    let length = 64 - i64::from(bits.leading_zeros());
    let top = length + exponent;
    if top > 1024 {
        return f64::INFINITY;
    }
    // How many of the bits a float of this size can hold; fewer below the smallest normal one.
    let kept = 53.min(top + 1074).max(0);
    let dropped = length - kept;
    let (mut mantissa, mut shift) = (bits, exponent);
    if dropped >= 64 {
        return 0.0;
    }
    if dropped > 0 {
        let half = 1_u64 << (dropped - 1);
        let rest = bits & ((half << 1).wrapping_sub(1));
        mantissa = bits
            .checked_shr(u32::try_from(dropped).unwrap_or(64))
            .unwrap_or(0);
        mantissa += u64::from(rest > half || (rest == half && mantissa & 1 == 1));
        shift += dropped;
    }
    // Both steps are exact: the mantissa fits, and powers of two are applied in parts that do.
    #[allow(clippy::cast_precision_loss, reason = "at most 53 bits are left")]
    let mut x = mantissa as f64;
    while shift != 0 {
        let part = shift.clamp(-1000, 1000);
        x *= 2_f64.powi(i32::try_from(part).unwrap_or(0));
        shift -= part;
    }
    x
}

/// Underscores only between digits, or between a base prefix and a digit.
pub(super) fn underscores_fit(text: &str) -> bool {
    if !text.contains('_') {
        return true;
    }
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let prefixed = hex || lower.starts_with("0o") || lower.starts_with("0b");
    let digits = if prefixed { &lower[2..] } else { &lower[..] };
    let is_digit = |c: char| c.is_ascii_digit() || (hex && c.is_ascii_hexdigit());
    let mut before_is_digit = prefixed;
    let mut after_underscore = false;
    for c in digits.chars() {
        if c == '_' {
            if !before_is_digit {
                return false;
            }
            (before_is_digit, after_underscore) = (false, true);
        } else {
            if after_underscore && !is_digit(c) {
                return false;
            }
            (before_is_digit, after_underscore) = (is_digit(c), false);
        }
    }
    !after_underscore
}
