//! Standard Base32 with padding. Line ends are taken out before decoding, so the place of an error
//! does not count them, as in Go.

use super::Corrupt;

const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

pub(crate) fn encoded(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(5) * 8);
    for group in bytes.chunks(5) {
        let byte = |index: usize| u64::from(group.get(index).copied().unwrap_or(0));
        let bits = (0..5).fold(0, |bits, index| bits << 8 | byte(index));
        let digits = (group.len() * 8).div_ceil(5);
        for place in 0..8 {
            if place >= digits {
                out.push('=');
            } else {
                let index = bits >> (35 - 5 * place) & 31;
                out.push(char::from(ALPHABET[index as usize]));
            }
        }
    }
    out
}

fn digit(byte: u8) -> Option<u64> {
    Some(u64::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'2'..=b'7' => byte - b'2' + 26,
        _ => return None,
    }))
}

fn corrupt(at: usize) -> Corrupt {
    Corrupt { name: "base32", at }
}

pub(crate) fn decoded(source: &[u8]) -> Result<Vec<u8>, Corrupt> {
    let line_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let source: Vec<u8> = source
        .iter()
        .copied()
        .filter(|byte| !line_end(byte))
        .collect();
    let mut out = Vec::with_capacity(source.len() / 8 * 5);
    let mut at = 0;
    while at < source.len() {
        let mut bits = 0;
        let mut count = 0;
        let mut ended = false;
        while count < 8 {
            let Some(byte) = source.get(at) else {
                return Err(corrupt(at - count));
            };
            at += 1;
            let left = source.len() - at;
            if *byte == b'=' && count >= 2 && left < 8 {
                if left + count < 7 {
                    return Err(corrupt(source.len()));
                }
                for further in 0..7 - count {
                    if source.get(at + further).is_some_and(|byte| *byte != b'=') {
                        return Err(corrupt((at + further).saturating_sub(1)));
                    }
                }
                // One, three or six digits make no whole byte.
                if matches!(count, 3 | 6) {
                    return Err(corrupt(at - 1));
                }
                ended = true;
                break;
            }
            let digit = digit(*byte).ok_or(corrupt(at - 1))?;
            bits = bits << 5 | digit;
            count += 1;
        }
        let bytes: [u8; 8] = (bits << (5 * (8 - count))).to_be_bytes();
        out.extend_from_slice(&bytes[3..3 + count * 5 / 8]);
        if ended {
            break;
        }
    }
    Ok(out)
}
