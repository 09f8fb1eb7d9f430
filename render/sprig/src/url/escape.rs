//! Percent signs: which bytes each part of a URL may hold as they are.

use qm_gotemplate::fmt;

/// A part of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Path,
    User,
    Host,
    Zone,
    Fragment,
}

pub(super) fn must_escape(byte: u8, part: Part) -> bool {
    if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
        return false;
    }
    match part {
        Part::Host | Part::Zone => !b"!$&'()*+,;=:[]<>\"".contains(&byte),
        Part::Path => !b"$&+,/:;=@".contains(&byte),
        Part::User => !b"$&+,;=".contains(&byte),
        Part::Fragment => !b"$&+,/:;=?@!()*".contains(&byte),
    }
}

pub(super) fn escaped(text: &[u8], part: Part) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = Vec::with_capacity(text.len());
    for byte in text {
        if must_escape(*byte, part) {
            let digit = |nibble: u8| DIGITS[usize::from(nibble)];
            out.extend_from_slice(&[b'%', digit(byte >> 4), digit(byte & 15)]);
        } else {
            out.push(*byte);
        }
    }
    out
}

fn quoted(bytes: &[u8]) -> String {
    fmt::quoted(&String::from_utf8_lossy(bytes))
}

/// The error is Go's text.
pub(super) fn unescaped(text: &[u8], part: Part) -> Result<Vec<u8>, String> {
    let in_host = matches!(part, Part::Host | Part::Zone);
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        if *byte != b'%' {
            if in_host && byte.is_ascii() && must_escape(*byte, part) {
                let shown = quoted(&[*byte]);
                return Err(format!("invalid character {shown} in host name"));
            }
            out.push(*byte);
            at += 1;
            continue;
        }
        let rest = &text[at..];
        let escape = &rest[..rest.len().min(3)];
        let bad = || format!("invalid URL escape {}", quoted(escape));
        let digit = |index: usize| {
            let byte = escape.get(index)?;
            char::from(*byte).to_digit(16)
        };
        let (Some(high), Some(low)) = (digit(1), digit(2)) else {
            return Err(bad());
        };
        let value = u8::try_from(high << 4 | low).unwrap_or(0);
        let percent = escape == b"%25";
        // In a host only bytes beyond ASCII may be escaped; in a zone, what may stand in a host.
        let refused = match part {
            Part::Host => high < 8 && !percent,
            Part::Zone => !percent && value != b' ' && must_escape(value, Part::Host),
            _ => false,
        };
        if refused {
            return Err(bad());
        }
        out.push(value);
        at += 3;
    }
    Ok(out)
}
