//! `strconv.ParseFloat` for 64 bits: decimal and hexadecimal notation, infinities and NaN.

/// The number, when the text is one and it fits.
pub(crate) fn parse_float(text: &str) -> Option<f64> {
    if text.contains('_') {
        // Underscores stand between digits, or between the prefix and the first digit.
        let bytes = text.as_bytes();
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
        let prefix = |at: usize| matches!(bytes.get(at), Some(b'x' | b'X'));
        let placed = (0..bytes.len()).filter(|at| bytes[*at] == b'_').all(|at| {
            let before = at.checked_sub(1).is_some_and(|at| digit(at) || prefix(at));
            before && digit(at + 1)
        });
        return if placed {
            parse_float(&text.replace('_', ""))
        } else {
            None
        };
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned.starts_with("0x") || unsigned.starts_with("0X") {
        let magnitude = hexadecimal(&unsigned[2..])?;
        let signed = if text.starts_with('-') {
            -magnitude
        } else {
            magnitude
        };
        return signed.is_finite().then_some(signed);
    }
    // A sign before "nan" is refused by Go.
    if unsigned.eq_ignore_ascii_case("nan") {
        return (unsigned.len() == text.len()).then_some(f64::NAN);
    }
    let number: f64 = text.parse().ok()?;
    let named = unsigned.starts_with(['i', 'I']);
    (number.is_finite() || named).then_some(number)
}

/// `1.8p3` behind `0x`: the exponent is demanded.
#[allow(
    clippy::cast_precision_loss,
    reason = "the last bit of very long digits may differ"
)]
fn hexadecimal(text: &str) -> Option<f64> {
    let text = text.to_ascii_lowercase();
    let (digits, exponent) = text.split_once('p')?;
    let mut exponent: i64 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut mantissa: u64 = 0;
    for (index, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(digit.to_digit(16)?);
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | digit;
            if index >= whole.len() {
                exponent = exponent.checked_sub(4)?;
            }
        } else {
            // Beyond what a float can hold; only whether anything is there matters.
            mantissa |= u64::from(digit != 0);
            if index < whole.len() {
                exponent = exponent.checked_add(4)?;
            }
        }
    }
    let exponent = i32::try_from(exponent.clamp(-5000, 5000)).ok()?;
    // Two steps, because one power of two may be outside the range while the result is inside.
    let half = exponent / 2;
    Some(mantissa as f64 * 2f64.powi(half) * 2f64.powi(exponent - half))
}
