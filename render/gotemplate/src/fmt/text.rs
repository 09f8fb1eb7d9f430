//! Strings and bytes under each verb.

use super::Printer;
use super::bytes::first;
use super::quote::{can_backquote, quoted_bytes};
use crate::value::Value;

impl Printer<'_> {
    /// A string; `shown` is the value to be named when the verb does not fit.
    pub(super) fn string(&mut self, bytes: &[u8], verb: char, shown: &Value) {
        match verb {
            'v' if self.spec.syntax => self.quoted(bytes),
            'v' | 's' => self.plain(bytes),
            'x' | 'X' => self.hex_bytes(bytes, verb == 'X'),
            'q' => self.quoted(bytes),
            _ => self.complain(verb, shown),
        }
    }

    /// The text itself, cut to the precision.
    pub(super) fn plain(&mut self, bytes: &[u8]) {
        let bytes = self.cut(bytes);
        self.pad(bytes);
    }

    fn cut<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        match self.spec.precision {
            Some(count) => first(bytes, count),
            None => bytes,
        }
    }

    pub(super) fn quoted(&mut self, bytes: &[u8]) {
        let bytes = self.cut(bytes);
        if self.spec.sharp && can_backquote(bytes) {
            self.pad(&[b"`", bytes, b"`"].concat());
        } else {
            let text = quoted_bytes(bytes, self.spec.plus);
            self.pad(text.as_bytes());
        }
    }

    /// Two digits a byte; with a space between them under the space flag.
    pub(super) fn hex_bytes(&mut self, bytes: &[u8], upper: bool) {
        let spec = self.spec;
        let bytes = &bytes[..spec.precision.unwrap_or(usize::MAX).min(bytes.len())];
        if bytes.is_empty() {
            self.padding(spec.width.unwrap_or(0));
            return;
        }
        let digits = if upper {
            b"0123456789ABCDEF"
        } else {
            b"0123456789abcdef"
        };
        let prefix: &[u8] = match (spec.sharp, upper) {
            (false, _) => b"",
            (true, false) => b"0x",
            (true, true) => b"0X",
        };
        let mut text = Vec::with_capacity(bytes.len() * 2 + 2);
        for (index, byte) in bytes.iter().enumerate() {
            if index > 0 && spec.space {
                text.push(b' ');
            }
            if index == 0 || spec.space {
                text.extend_from_slice(prefix);
            }
            text.push(digits[usize::from(byte >> 4)]);
            text.push(digits[usize::from(byte & 15)]);
        }
        self.pad(&text);
    }

    /// A `[]byte`, printed at once for the verbs that know it; `name` is its type in Go syntax.
    /// Says whether it was.
    pub(super) fn byte_list(&mut self, bytes: &[u8], verb: char, name: &str) -> bool {
        match verb {
            'v' | 'd' if self.spec.syntax => {
                self.put(name.as_bytes());
                self.put(b"{");
                for (index, byte) in bytes.iter().enumerate() {
                    if index > 0 {
                        self.put(b", ");
                    }
                    self.hex(u64::from(*byte));
                }
                self.put(b"}");
            }
            'v' | 'd' => {
                self.put(b"[");
                for (index, byte) in bytes.iter().enumerate() {
                    if index > 0 {
                        self.put(b" ");
                    }
                    self.number(u64::from(*byte), false, 10, verb);
                }
                self.put(b"]");
            }
            's' => self.plain(bytes),
            'x' | 'X' => self.hex_bytes(bytes, verb == 'X'),
            'q' => self.quoted(bytes),
            _ => return false,
        }
        true
    }
}
