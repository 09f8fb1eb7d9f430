//! Number and character constants, converted to every type that can hold them.

mod float;

use super::token::Kind;
use super::unquote::{self, Piece};
use crate::fmt::quoted;
use crate::tree::Number;

/// The number that a token of this kind stands for.
///
/// # Errors
/// What is wrong with it, in Go's words.
pub(super) fn parse(text: &str, kind: Kind) -> Result<Number, String> {
    match kind {
        Kind::CharConstant => return character(text),
        Kind::Complex => {
            // The sign of the imaginary part is the last one that does not belong to an exponent.
            let at = text
                .char_indices()
                .skip(1)
                .filter(|(at, c)| {
                    matches!(c, '+' | '-')
                        && !matches!(text.as_bytes()[at - 1], b'e' | b'E' | b'p' | b'P')
                })
                .last()
                .map_or(0, |(at, _)| at);
            let re = float::parse(&text[..at]);
            let im = float::parse(text[at..].trim_end_matches('i'));
            return match (re, im) {
                (Some(re), Some(im)) => Ok(complex(re, im)),
                _ => Err("syntax error scanning complex number".to_owned()),
            };
        }
        _ => {}
    }
    if let Some(im) = text.strip_suffix('i').and_then(float::parse) {
        return Ok(complex(0.0, im));
    }
    real(text)
}

fn character(text: &str) -> Result<Number, String> {
    let inside = text.get(1..).unwrap_or_default();
    let (piece, rest) = unquote::character(inside, '\'').ok_or(unquote::INVALID)?;
    if rest != "'" {
        return Err(format!("malformed character constant: {text}"));
    }
    let code = match piece {
        Piece::Byte(byte) => u32::from(byte),
        Piece::Char(c) => u32::from(c),
    };
    Ok(Number {
        int: Some(i64::from(code)),
        uint: Some(u64::from(code)),
        float: Some(f64::from(code)),
        ..Number::default()
    })
}

/// A complex number without imaginary part is also a real one.
fn complex(re: f64, im: f64) -> Number {
    let (int, uint) = if im == 0.0 { whole(re) } else { (None, None) };
    Number {
        int,
        uint,
        float: (im == 0.0).then_some(re),
        complex: Some((re, im)),
        looks_float: false,
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "asks whether the conversion is exact"
)]
fn whole(x: f64) -> (Option<i64>, Option<u64>) {
    let int = Some(x as i64).filter(|n| *n as f64 == x && x < 9.223_372_036_854_776e18);
    let uint = Some(x as u64).filter(|n| *n as f64 == x && x < 1.844_674_407_370_955_2e19);
    (int, uint)
}

fn real(text: &str) -> Result<Number, String> {
    let mut number = Number {
        looks_float: text.contains(['.', 'e', 'E', 'p', 'P']) && !is_hex_int(text),
        ..Number::default()
    };
    let (negative, magnitude) = match text.as_bytes().first() {
        Some(b'-') => (true, integer(&text[1..])),
        Some(b'+') => (false, integer(&text[1..])),
        _ => {
            let magnitude = integer(text);
            number.uint = magnitude;
            (false, magnitude)
        }
    };
    number.int = magnitude.and_then(|n| match negative {
        true => 0_i64.checked_sub_unsigned(n),
        false => i64::try_from(n).ok(),
    });
    if number.int == Some(0) {
        number.uint = Some(0);
    }
    #[allow(clippy::cast_precision_loss, reason = "Go converts in the same way")]
    if let Some(n) = number.int {
        number.float = Some(n as f64);
    } else if let Some(n) = number.uint {
        number.float = Some(n as f64);
    } else if let Some(x) = float::parse(text) {
        if !text.contains(['.', 'e', 'E', 'p', 'P']) {
            return Err(format!("integer overflow: {}", quoted(text)));
        }
        number.float = Some(x);
        (number.int, number.uint) = whole(x);
    } else {
        return Err(format!("illegal number syntax: {}", quoted(text)));
    }
    Ok(number)
}

fn is_hex_int(text: &str) -> bool {
    text.len() > 2 && text.starts_with("0x") | text.starts_with("0X") && !text.contains(['p', 'P'])
}

/// An unsigned integer with its base prefix and underscores.
fn integer(text: &str) -> Option<u64> {
    let lower = text.get(..2).map(str::to_ascii_lowercase);
    let (base, digits) = match lower.as_deref() {
        Some("0x") => (16, &text[2..]),
        Some("0o") => (8, &text[2..]),
        Some("0b") => (2, &text[2..]),
        _ if text.starts_with('0') && text.len() > 1 => (8, &text[1..]),
        _ => (10, text),
    };
    if !float::underscores_fit(text) {
        return None;
    }
    let mut number: u64 = 0;
    let mut any = false;
    for c in digits.chars().filter(|c| *c != '_') {
        let digit = c.to_digit(base)?;
        number = number
            .checked_mul(u64::from(base))?
            .checked_add(u64::from(digit))?;
        any = true;
    }
    any.then_some(number)
}
