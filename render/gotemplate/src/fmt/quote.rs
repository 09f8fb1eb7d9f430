//! Go's quoting, as `%q` and error texts show it.

use super::decode;
use crate::unicode::is_print;

/// `strconv.Quote`: a text in double quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    quoted_bytes(text.as_bytes(), false)
}

/// Bytes in double quotes; `ascii` escapes every other letter.
pub(crate) fn quoted_bytes(bytes: &[u8], ascii: bool) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    let mut rest = bytes;
    while !rest.is_empty() {
        let (letter, width) = decode(rest);
        match letter {
            Some(c) => escape(&mut out, c, '"', ascii),
            None => out.push_str(&format!("\\x{:02x}", rest[0])),
        }
        rest = &rest[width..];
    }
    out.push('"');
    out
}

/// The first `count` letters in double quotes: `%.10q`.
pub(crate) fn quoted_start(text: &str, count: usize) -> String {
    quoted_bytes(super::bytes::first(text.as_bytes(), count), false)
}

/// A letter in single quotes.
pub(super) fn quoted_char(c: char, ascii: bool) -> String {
    let mut out = String::from('\'');
    escape(&mut out, c, '\'', ascii);
    out.push('\'');
    out
}

fn escape(out: &mut String, c: char, quote: char, ascii: bool) {
    if c == quote || c == '\\' {
        out.push('\\');
        out.push(c);
        return;
    }
    if is_print(c) && (!ascii || c.is_ascii()) {
        out.push(c);
        return;
    }
    let short = match c {
        '\x07' => "\\a",
        '\x08' => "\\b",
        '\x0c' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\x0b' => "\\v",
        _ => "",
    };
    let code = u32::from(c);
    match code {
        _ if !short.is_empty() => out.push_str(short),
        0..0x20 | 0x7f => out.push_str(&format!("\\x{code:02x}")),
        0..0x1_0000 => out.push_str(&format!("\\u{code:04x}")),
        _ => out.push_str(&format!("\\U{code:08x}")),
    }
}

/// Whether the bytes can stand between back quotes unchanged.
pub(super) fn can_backquote(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| {
        text.chars()
            .all(|c| c == '\t' || !(c < ' ' || c == '`' || c == '\x7f' || c == '\u{feff}'))
    })
}
