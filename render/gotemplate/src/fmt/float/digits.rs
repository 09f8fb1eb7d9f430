//! A positive finite float as text, in the layouts of Go's `strconv.FormatFloat`.

use std::fmt::Write as _;

/// Beyond this many digits a float has only zeros, and Rust's formatting takes no larger precision.
const MOST_DIGITS: usize = 1200;

/// Decimal digits without trailing zeros, and where the point stands: 0.`digits` × 10^`point`.
struct Decimal {
    digits: Vec<u8>,
    point: i32,
}

/// `x` under a verb; no precision means as many digits as needed.
pub(super) fn layout(x: f64, single: bool, verb: char, precision: Option<usize>) -> String {
    match verb {
        'b' => binary(x, single),
        'x' | 'X' => {
            let text = hexadecimal(x, single, precision);
            if verb == 'X' {
                text.to_uppercase()
            } else {
                text
            }
        }
        'e' | 'E' => scientific(x, precision.unwrap_or(6), verb),
        'f' => fixed(x, precision.unwrap_or(6)),
        _ => general(x, single, verb, precision),
    }
}

fn split(text: &str) -> Decimal {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    while digits.last() == Some(&b'0') {
        digits.pop();
    }
    let point = match digits.is_empty() {
        true => 0,
        false => exponent.parse::<i32>().unwrap_or(0) + 1,
    };
    Decimal { digits, point }
}

fn general(x: f64, single: bool, verb: char, precision: Option<usize>) -> String {
    let decimal = match precision {
        None if single => {
            #[allow(clippy::cast_possible_truncation, reason = "it was a float32")]
            let x = x as f32;
            split(&format!("{x:e}"))
        }
        None => split(&format!("{x:e}")),
        Some(precision) => {
            let more = precision.clamp(1, MOST_DIGITS) - 1;
            split(&format!("{x:.more$e}"))
        }
    };
    let exponent = decimal.point - 1;
    // Without a precision, numbers of up to 21 digits would still be readable, but Go's bound is 6.
    let bound = precision.map_or(6, |precision| precision.max(1));
    let bound = match i32::try_from(decimal.digits.len()) {
        Ok(count)
            if precision.is_some() && bound > decimal.digits.len() && count >= decimal.point =>
        {
            count
        }
        _ => i32::try_from(bound).unwrap_or(i32::MAX),
    };
    let digits = String::from_utf8(decimal.digits).unwrap_or_default();
    if exponent < -4 || exponent >= bound {
        let (first, rest) = digits.split_at(digits.len().min(1));
        let first = if first.is_empty() { "0" } else { first };
        let point = if rest.is_empty() { "" } else { "." };
        let letter = if verb == 'G' { 'E' } else { 'e' };
        return format!("{first}{point}{rest}{}", exponent_text(letter, exponent));
    }
    let mut text = String::with_capacity(24);
    let Ok(whole) = usize::try_from(decimal.point) else {
        // 0.000ddd
        let zeros = decimal.point.unsigned_abs() as usize;
        let _ = write!(text, "0.{}{digits}", "0".repeat(zeros));
        return text;
    };
    if whole >= digits.len() {
        let _ = write!(text, "{digits}{}", "0".repeat(whole - digits.len()));
        if text.is_empty() {
            text.push('0');
        }
    } else {
        let (left, right) = digits.split_at(whole);
        let left = if left.is_empty() { "0" } else { left };
        let _ = write!(text, "{left}.{right}");
    }
    text
}

fn scientific(x: f64, precision: usize, verb: char) -> String {
    let exact = precision.min(MOST_DIGITS);
    let text = format!("{x:.exact$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let zeros = "0".repeat(precision - exact);
    let exponent = exponent.parse().unwrap_or(0);
    format!("{mantissa}{zeros}{}", exponent_text(verb, exponent))
}

fn exponent_text(letter: char, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{letter}{sign}{:02}", exponent.abs())
}

fn fixed(x: f64, precision: usize) -> String {
    let exact = precision.min(MOST_DIGITS);
    let mut text = format!("{x:.exact$}");
    text.push_str(&"0".repeat(precision - exact));
    text
}

/// Mantissa with its leading bit, the exponent of its last bit, and the bits after the leading one.
fn parts(x: f64, single: bool) -> (u64, i32, i32) {
    let (bits, fraction_bits, bias) = if single {
        #[allow(clippy::cast_possible_truncation, reason = "it was a float32")]
        let x = x as f32;
        (u64::from(x.to_bits()), 23, 127)
    } else {
        (x.to_bits(), 52, 1023)
    };
    let fraction = bits & ((1 << fraction_bits) - 1);
    let exponent = i32::try_from(bits >> fraction_bits).unwrap_or(0);
    if exponent == 0 {
        (fraction, 1 - bias, fraction_bits)
    } else {
        (
            fraction | 1 << fraction_bits,
            exponent - bias,
            fraction_bits,
        )
    }
}

fn binary(x: f64, single: bool) -> String {
    let (mantissa, exponent, fraction_bits) = parts(x, single);
    let exponent = exponent - fraction_bits;
    let sign = if exponent >= 0 { "+" } else { "" };
    format!("{mantissa}p{sign}{exponent}")
}

fn hexadecimal(x: f64, single: bool, precision: Option<usize>) -> String {
    let (mut mantissa, mut exponent, fraction_bits) = parts(x, single);
    if mantissa == 0 {
        exponent = 0;
    } else {
        // The leading bit goes to bit 60: fifteen whole hexadecimal digits follow it.
        mantissa <<= 60 - fraction_bits;
        while mantissa >> 60 == 0 {
            mantissa <<= 1;
            exponent -= 1;
        }
    }
    if let Some(kept) = precision.filter(|precision| *precision < 15) {
        let dropped = 60 - 4 * u32::try_from(kept).unwrap_or(0);
        let unit = 1_u64 << dropped;
        let rest = mantissa & (unit - 1);
        mantissa -= rest;
        let odd = mantissa & unit != 0;
        if rest > unit / 2 || (rest == unit / 2 && odd) {
            mantissa += unit;
        }
        if mantissa >> 61 != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
    }
    let fraction = format!("{:015x}", mantissa & ((1 << 60) - 1));
    let fraction = match precision {
        None => fraction.trim_end_matches('0').to_owned(),
        Some(wanted) => {
            let zeros = "0".repeat(wanted.saturating_sub(15));
            format!("{}{zeros}", &fraction[..wanted.min(15)])
        }
    };
    let point = if fraction.is_empty() { "" } else { "." };
    format!(
        "0x{}{point}{fraction}{}",
        mantissa >> 60,
        exponent_text('p', exponent)
    )
}

/// With the `#` flag: always a point, and for `g` the trailing zeros of the precision.
pub(super) fn with_point(text: &str, verb: char, precision: Option<usize>) -> String {
    let is_hex = matches!(verb, 'x' | 'X');
    let is_tail = |c: char| matches!(c, 'p' | 'P') || (!is_hex && matches!(c, 'e' | 'E'));
    let (number, tail) = text.split_at(text.find(is_tail).unwrap_or(text.len()));
    let wanted = match verb {
        'g' | 'G' | 'x' => precision.unwrap_or(6),
        _ => 0,
    };
    let significant = number
        .chars()
        .filter(|c| *c != '.')
        .skip_while(|c| *c == '0')
        .count();
    let has_point = number.contains('.');
    // A lone zero is one digit.
    let seen = significant + usize::from(!has_point && number == "0");
    let point = if has_point { "" } else { "." };
    format!(
        "{number}{point}{}{tail}",
        "0".repeat(wanted.saturating_sub(seen))
    )
}
