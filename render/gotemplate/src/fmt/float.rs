//! Floats and complex numbers under each verb. The digits come from Rust's own formatting, which is
//! exact and shortest as Go's is; the layout is Go's.

mod digits;

use super::Printer;
use crate::value::Value;

impl Printer<'_> {
    /// A float; `single` when it is a `float32`.
    pub(super) fn float(&mut self, x: f64, single: bool, verb: char, shown: &Value) {
        match verb {
            'v' => self.float_as(x, single, 'g', None),
            'b' | 'g' | 'G' | 'x' | 'X' => self.float_as(x, single, verb, None),
            'f' | 'e' | 'E' => self.float_as(x, single, verb, Some(6)),
            'F' => self.float_as(x, single, 'f', Some(6)),
            _ => self.complain(verb, shown),
        }
    }

    pub(super) fn complex(&mut self, re: f64, im: f64, verb: char, shown: &Value) {
        if !matches!(
            verb,
            'v' | 'b' | 'g' | 'G' | 'x' | 'X' | 'f' | 'F' | 'e' | 'E'
        ) {
            self.complain(verb, shown);
            return;
        }
        self.put(b"(");
        self.float(re, false, verb, shown);
        // The imaginary part always has a sign.
        let plus = std::mem::replace(&mut self.spec.plus, true);
        self.float(im, false, verb, shown);
        self.spec.plus = plus;
        self.put(b"i)");
    }

    fn float_as(&mut self, x: f64, single: bool, verb: char, precision: Option<usize>) {
        let spec = self.spec;
        let precision = spec.precision.or(precision);
        let negative = x.is_sign_negative() && !x.is_nan();
        let sign: &[u8] = match negative {
            true => b"-",
            false if spec.plus => b"+",
            false if spec.space => b" ",
            false => b"",
        };
        if !x.is_finite() {
            let name: &[u8] = match (x.is_nan(), negative) {
                (true, _) => b"NaN",
                // Infinity shows its sign only when there is one to show.
                (false, _) => b"Inf",
            };
            let sign = if x.is_infinite() && sign.is_empty() {
                b"+"
            } else {
                sign
            };
            self.pad_with_spaces(&[sign, name].concat());
            return;
        }
        let mut text = digits::layout(x.abs(), single, verb, precision);
        if spec.sharp && verb != 'b' {
            text = digits::with_point(&text, verb, precision);
        }
        let length = text.len() + sign.len();
        match spec.width {
            // The sign stands before the zeros.
            Some(width) if spec.zero && !spec.minus && !sign.is_empty() && width > length => {
                self.put(sign);
                self.fill(b'0', width - length);
                self.put(text.as_bytes());
            }
            _ if sign.is_empty() => self.pad(text.as_bytes()),
            _ => self.pad(&[sign, text.as_bytes()].concat()),
        }
    }
}
