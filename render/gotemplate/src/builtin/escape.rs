//! `html`, `js` and `urlquery`: the text of the arguments, made safe for another language.

use std::fmt::Write as _;

use super::text;
use crate::fmt;
use crate::function::Failure;
use crate::unicode::is_print;
use crate::value::Value;

/// The text of the arguments as actions would print them.
fn joined(args: &[Value], limit: usize) -> Result<Vec<u8>, Failure> {
    if let [Value::String(text)] = args {
        return Ok(text.as_bytes().to_vec());
    }
    fmt::display_all(args, limit)
}

pub(super) fn html(args: &[Value], limit: usize) -> Result<Value, Failure> {
    let plain = joined(args, limit)?;
    let mut out = Vec::with_capacity(plain.len());
    for byte in plain {
        let escape: &[u8] = match byte {
            0 => "\u{fffd}".as_bytes(),
            b'"' => b"&#34;",
            b'\'' => b"&#39;",
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            _ => {
                out.push(byte);
                continue;
            }
        };
        out.extend_from_slice(escape);
    }
    text(Ok(out))
}

pub(super) fn js(args: &[Value], limit: usize) -> Result<Value, Failure> {
    let plain = joined(args, limit)?;
    let mut out = Vec::with_capacity(plain.len());
    let mut rest = &plain[..];
    while !rest.is_empty() {
        let (letter, width) = fmt::decode(rest);
        let c = letter.unwrap_or(char::REPLACEMENT_CHARACTER);
        match c {
            '\\' => out.extend_from_slice(b"\\\\"),
            '\'' => out.extend_from_slice(b"\\'"),
            '"' => out.extend_from_slice(b"\\\""),
            '<' | '>' | '&' | '=' | '\0'..' ' => {
                out.extend_from_slice(format!("\\u{:04X}", u32::from(c)).as_bytes());
            }
            c if c.is_ascii() || is_print(c) => out.extend_from_slice(&rest[..width]),
            c => out.extend_from_slice(format!("\\u{:04X}", u32::from(c)).as_bytes()),
        }
        rest = &rest[width..];
    }
    text(Ok(out))
}

pub(super) fn urlquery(args: &[Value], limit: usize) -> Result<Value, Failure> {
    let plain = joined(args, limit)?;
    let mut out = String::with_capacity(plain.len());
    for byte in plain {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            b' ' => out.push('+'),
            // Writing to a String cannot fail.
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    Ok(out.into())
}
