//! Flags, width and precision of one directive, and padding by them.

use super::{Printer, rune_count};

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spec {
    pub(super) plus: bool,
    pub(super) minus: bool,
    pub(super) sharp: bool,
    pub(super) space: bool,
    pub(super) zero: bool,
    /// `%+v`: names of fields.
    pub(super) names: bool,
    /// `%#v`: Go syntax.
    pub(super) syntax: bool,
    pub(super) width: Option<usize>,
    pub(super) precision: Option<usize>,
}

impl Printer<'_> {
    /// Writes `text`, padded to the width.
    pub(super) fn pad(&mut self, text: &[u8]) {
        let missing = match self.spec.width {
            None | Some(0) => 0,
            Some(width) => width.saturating_sub(rune_count(text)),
        };
        if self.spec.minus {
            self.put(text);
            self.fill(b' ', missing);
        } else {
            self.fill(if self.spec.zero { b'0' } else { b' ' }, missing);
            self.put(text);
        }
    }

    /// As [`pad`](Self::pad), but never with zeros.
    pub(super) fn pad_with_spaces(&mut self, text: &[u8]) {
        let zero = std::mem::replace(&mut self.spec.zero, false);
        self.pad(text);
        self.spec.zero = zero;
    }

    /// Padding alone, as for a text that is empty.
    pub(super) fn padding(&mut self, count: usize) {
        let zero = self.spec.zero && !self.spec.minus;
        self.fill(if zero { b'0' } else { b' ' }, count);
    }
}
