//! Integers under each verb.

use super::Printer;
use super::quote::quoted_char;
use crate::unicode::is_print;
use crate::value::Value;

const MAX_RUNE: u64 = 0x10_FFFF;

impl Printer<'_> {
    /// An integer; `shown` is the value to be named when the verb does not fit.
    pub(super) fn integer(
        &mut self,
        magnitude: u64,
        negative: bool,
        signed: bool,
        verb: char,
        shown: &Value,
    ) {
        let base = match verb {
            'v' if self.spec.syntax && !signed => {
                self.hex(magnitude);
                return;
            }
            'v' | 'd' => 10,
            'b' => 2,
            'o' | 'O' => 8,
            'x' | 'X' => 16,
            'c' => {
                let c = rune(magnitude, negative);
                self.pad(c.encode_utf8(&mut [0; 4]).as_bytes());
                return;
            }
            'q' => {
                let text = quoted_char(rune(magnitude, negative), self.spec.plus);
                self.pad(text.as_bytes());
                return;
            }
            'U' => {
                self.code_point(if negative {
                    magnitude.wrapping_neg()
                } else {
                    magnitude
                });
                return;
            }
            _ => {
                self.complain(verb, shown);
                return;
            }
        };
        self.number(magnitude, negative, base, verb);
    }

    /// `0x` and hexadecimal digits, whatever the flags say.
    pub(super) fn hex(&mut self, magnitude: u64) {
        let sharp = std::mem::replace(&mut self.spec.sharp, true);
        self.number(magnitude, false, 16, 'v');
        self.spec.sharp = sharp;
    }

    pub(super) fn number(&mut self, magnitude: u64, negative: bool, base: u64, verb: char) {
        // The common case: a plain decimal number.
        if base == 10
            && self.spec.width.is_none()
            && self.spec.precision.is_none()
            && !negative
            && !self.spec.plus
            && !self.spec.space
        {
            self.put(decimal(magnitude, &mut [0; 20]));
            return;
        }
        let spec = self.spec;
        let signed = negative || spec.plus || spec.space;
        let least = match spec.precision {
            Some(0) if magnitude == 0 => {
                // Nothing but padding, and that with spaces.
                self.fill(b' ', spec.width.unwrap_or(0));
                return;
            }
            Some(precision) => precision,
            None if spec.zero && !spec.minus => {
                spec.width.unwrap_or(0).saturating_sub(usize::from(signed))
            }
            None => 0,
        };
        let digits = digits(magnitude, base, verb == 'X');
        let mut text = Vec::with_capacity(digits.len().max(least) + 4);
        if negative {
            text.push(b'-');
        } else if spec.plus {
            text.push(b'+');
        } else if spec.space {
            text.push(b' ');
        }
        if verb == 'O' {
            text.extend_from_slice(b"0o");
        }
        let zeros = least.saturating_sub(digits.len());
        if spec.sharp {
            match base {
                2 => text.extend_from_slice(b"0b"),
                8 if zeros == 0 && digits.first() != Some(&b'0') => text.push(b'0'),
                16 if verb == 'X' => text.extend_from_slice(b"0X"),
                16 => text.extend_from_slice(b"0x"),
                _ => {}
            }
        }
        text.resize(text.len() + zeros, b'0');
        text.extend_from_slice(&digits);
        self.pad_with_spaces(&text);
    }

    fn code_point(&mut self, code: u64) {
        let digits = self.spec.precision.unwrap_or(4).max(4);
        let mut text = format!("U+{code:0>digits$X}", digits = digits.min(60_000)).into_bytes();
        if self.spec.sharp
            && let Some(c) = u32::try_from(code).ok().and_then(char::from_u32)
            && is_print(c)
        {
            text.extend_from_slice(format!(" '{c}'").as_bytes());
        }
        self.pad_with_spaces(&text);
    }
}

fn rune(magnitude: u64, negative: bool) -> char {
    if negative || magnitude > MAX_RUNE {
        return char::REPLACEMENT_CHARACTER;
    }
    u32::try_from(magnitude)
        .ok()
        .and_then(char::from_u32)
        .unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn decimal(mut n: u64, buffer: &mut [u8; 20]) -> &[u8] {
    let mut at = buffer.len();
    loop {
        at -= 1;
        buffer[at] = b'0' + u8::try_from(n % 10).unwrap_or(0);
        n /= 10;
        if n == 0 {
            return &buffer[at..];
        }
    }
}

fn digits(n: u64, base: u64, upper: bool) -> Vec<u8> {
    match base {
        2 => format!("{n:b}"),
        8 => format!("{n:o}"),
        16 if upper => format!("{n:X}"),
        16 => format!("{n:x}"),
        _ => n.to_string(),
    }
    .into_bytes()
}
