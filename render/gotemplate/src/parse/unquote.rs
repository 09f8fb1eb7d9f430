//! String and character constants: from how they are written to what they mean.

use crate::value::Str;

/// Everything that can be wrong with one.
pub(super) const INVALID: &str = "invalid syntax";

/// A string in double quotes or back quotes.
pub(super) fn string(text: &str) -> Option<Str> {
    if let Some(raw) = text.strip_prefix('`') {
        let raw = raw.strip_suffix('`')?;
        return Some(if raw.contains('\r') {
            raw.replace('\r', "").into()
        } else {
            raw.into()
        });
    }
    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
    if !inside.contains(['\\', '"', '\n']) {
        return Some(inside.into());
    }
    let mut out = Vec::with_capacity(inside.len());
    let mut rest = inside;
    while !rest.is_empty() {
        let piece;
        (piece, rest) = character(rest, '"')?;
        match piece {
            Piece::Byte(byte) => out.push(byte),
            Piece::Char(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Some(Str::from_bytes(out))
}

/// What one letter or escape stands for. An escape of a byte is a byte in a string and a code point
/// as a character constant.
pub(super) enum Piece {
    Byte(u8),
    Char(char),
}

/// The first letter or escape, and what follows it.
pub(super) fn character(text: &str, quote: char) -> Option<(Piece, &str)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if first == quote || first == '\n' {
        return None;
    }
    if first != '\\' {
        return Some((Piece::Char(first), chars.as_str()));
    }
    let escape = chars.next()?;
    let rest = chars.as_str();
    let simple = match escape {
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0b',
        '\\' => '\\',
        '\'' | '"' if escape == quote => escape,
        'x' => {
            let (code, rest) = digits(rest, 2, 16)?;
            return Some((Piece::Byte(u8::try_from(code).ok()?), rest));
        }
        'u' => {
            let (code, rest) = digits(rest, 4, 16)?;
            return Some((Piece::Char(char::from_u32(code)?), rest));
        }
        'U' => {
            let (code, rest) = digits(rest, 8, 16)?;
            return Some((Piece::Char(char::from_u32(code)?), rest));
        }
        '0'..='7' => {
            let (code, rest) = digits(text.get(1..)?, 3, 8)?;
            return Some((Piece::Byte(u8::try_from(code).ok()?), rest));
        }
        _ => return None,
    };
    Some((Piece::Char(simple), rest))
}

fn digits(text: &str, count: usize, base: u32) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(count)?;
    let all = digits.chars().all(|c| c.is_digit(base));
    Some((
        u32::from_str_radix(digits, base).ok().filter(|_| all)?,
        rest,
    ))
}
