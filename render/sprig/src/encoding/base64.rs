//! Standard Base64 with padding. Line ends are skipped when decoding; the place of an error is the
//! one that Go tells.

use super::Corrupt;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(crate) fn encoded(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            if place > group.len() {
                out.push('=');
            } else {
                let index = bits >> (18 - 6 * place) & 63;
                out.push(char::from(ALPHABET[index as usize]));
            }
        }
    }
    out
}

fn digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

fn corrupt(at: usize) -> Corrupt {
    Corrupt { name: "base64", at }
}

pub(crate) fn decoded(source: &[u8]) -> Result<Vec<u8>, Corrupt> {
    let mut out = Vec::with_capacity(source.len() / 4 * 3);
    let mut at = 0;
    let line_end = |at: usize| matches!(source.get(at), Some(b'\n' | b'\r'));
    loop {
        let mut bits = 0;
        let mut count = 0;
        while count < 4 {
            let Some(byte) = source.get(at) else {
                if count == 0 {
                    return Ok(out);
                }
                return Err(corrupt(at - count));
            };
            at += 1;
            match byte {
                b'\n' | b'\r' => {}
                b'=' => break,
                byte => match digit(*byte) {
                    Some(digit) => {
                        bits = bits << 6 | digit;
                        count += 1;
                    }
                    None => return Err(corrupt(at - 1)),
                },
            }
        }
        let bytes: [u8; 4] = (bits << (6 * (4 - count))).to_be_bytes();
        if count == 4 {
            out.extend_from_slice(&bytes[1..]);
            continue;
        }
        // Padding: one sign for three digits, two for two.
        if count < 2 {
            return Err(corrupt(at - 1));
        }
        if count == 2 {
            while line_end(at) {
                at += 1;
            }
            match source.get(at) {
                None => return Err(corrupt(source.len())),
                Some(b'=') => at += 1,
                Some(_) => return Err(corrupt(at - 1)),
            }
        }
        while line_end(at) {
            at += 1;
        }
        if at < source.len() {
            return Err(corrupt(at));
        }
        out.extend_from_slice(&bytes[1..count]);
        return Ok(out);
    }
}
