//! Escapes of one letter: `\n`, `\x{2028}`, `\052`, `\.`.

use super::translate::{Refused, refuse};

/// The letter and what is behind it; `text` begins with the backslash.
pub(super) fn letter(text: &str) -> Result<(char, &str), Refused> {
    let mut letters = text[1..].chars();
    let Some(c) = letters.next() else {
        return Err(refuse("trailing backslash at end of expression", ""));
    };
    let rest = letters.as_str();
    // What was read until it was clear that it is no escape.
    let refused = |rest: &str| {
        let read = &text[..text.len() - rest.len()];
        Err(refuse("invalid escape sequence", read))
    };
    match c {
        'a' => Ok(('\u{7}', rest)),
        'f' => Ok(('\u{c}', rest)),
        'n' => Ok(('\n', rest)),
        'r' => Ok(('\r', rest)),
        't' => Ok(('\t', rest)),
        'v' => Ok(('\u{b}', rest)),
        '0'..='7' => {
            let octal = |c: char| c.is_digit(8);
            if c != '0' && !rest.starts_with(octal) {
                // A single digit would be a reference to a group.
                return refused(rest);
            }
            let more = rest.chars().take(2).take_while(|c| octal(*c)).count();
            let code = u32::from_str_radix(&text[1..2 + more], 8).unwrap_or(0);
            Ok((char::from_u32(code).unwrap_or('\0'), &rest[more..]))
        }
        'x' => hexadecimal(rest).or_else(refused),
        c if c.is_ascii() && !c.is_ascii_alphanumeric() => Ok((c, rest)),
        _ => refused(rest),
    }
}

/// Behind `\x`: two digits, or any number in braces. The error is where it went wrong.
fn hexadecimal(text: &str) -> Result<(char, &str), &str> {
    let mut letters = text.chars();
    let Some(first) = letters.next() else {
        return Err(text);
    };
    if first != '{' {
        let Some(second) = letters.next() else {
            return Err(letters.as_str());
        };
        let rest = letters.as_str();
        return match (first.to_digit(16), second.to_digit(16)) {
            (Some(high), Some(low)) => Ok((char::from_u32(high << 4 | low).unwrap_or('\0'), rest)),
            _ => Err(rest),
        };
    }
    let (mut code, mut count) = (0_u32, 0);
    loop {
        let Some(c) = letters.next() else {
            return Err("");
        };
        if c == '}' {
            break;
        }
        match c.to_digit(16) {
            Some(digit) if code << 4 | digit <= 0x10_ffff => code = code << 4 | digit,
            _ => return Err(letters.as_str()),
        }
        count += 1;
    }
    let rest = letters.as_str();
    if count == 0 {
        return Err(rest);
    }
    // Half a letter cannot be matched by anything; nor can this one in a text.
    Ok((char::from_u32(code).unwrap_or(char::MAX), rest))
}
