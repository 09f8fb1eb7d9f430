//! Reads a format: flags, argument numbers, width, precision and verb of each directive, and says in
//! Go's words what is wrong with it.

use super::spec::Spec;
use super::{Printer, decode};
use crate::value::Value;

/// Larger widths and precisions are refused.
const LARGEST: i64 = 1_000_000;

struct Reader<'a> {
    format: &'a [u8],
    at: usize,
    args: &'a [Value],
    next: usize,
    /// An argument number was used: nobody knows then what is left over.
    reordered: bool,
    /// The argument numbers of this directive are in order.
    good: bool,
    /// The last thing read was an argument number.
    numbered: bool,
}

/// Prints `format` with its arguments.
pub(super) fn run(printer: &mut Printer<'_>, format: &[u8], args: &[Value]) {
    let mut reader = Reader {
        format,
        at: 0,
        args,
        next: 0,
        reordered: false,
        good: true,
        numbered: false,
    };
    while reader.at < format.len() && printer.failure.is_none() {
        let rest = &format[reader.at..];
        let text = rest
            .iter()
            .position(|byte| *byte == b'%')
            .unwrap_or(rest.len());
        printer.put(&rest[..text]);
        reader.at += text;
        if reader.at < format.len() {
            reader.at += 1;
            directive(printer, &mut reader);
        }
    }
    if !reader.reordered && reader.next < args.len() {
        printer.spec = Spec::default();
        printer.put(b"%!(EXTRA ");
        for (index, arg) in args[reader.next..].iter().enumerate() {
            if index > 0 {
                printer.put(b", ");
            }
            if let Some(kind) = arg.type_of() {
                printer.put(kind.to_string().as_bytes());
                printer.put(b"=");
            }
            printer.argument(arg, 'v');
        }
        printer.put(b")");
    }
    printer.spec = Spec::default();
}

fn directive(printer: &mut Printer<'_>, reader: &mut Reader<'_>) {
    let spec = &mut printer.spec;
    *spec = Spec::default();
    reader.good = true;
    reader.numbered = false;
    while let Some(flag) = reader.peek() {
        match flag {
            b'#' => spec.sharp = true,
            b'0' => spec.zero = true,
            b'+' => spec.plus = true,
            b'-' => spec.minus = true,
            b' ' => spec.space = true,
            _ => break,
        }
        reader.at += 1;
    }
    // A plain verb takes the next argument even where a number is out of place later.
    let simple = reader
        .peek()
        .filter(|c| c.is_ascii_lowercase() && reader.next < reader.args.len());
    if let Some(verb) = simple {
        reader.at += 1;
        verb_with_argument(printer, reader, char::from(verb));
        return;
    }
    reader.argument_number();
    width(printer, reader);
    precision(printer, reader);
    if !reader.numbered {
        reader.argument_number();
    }
    let Some(rest) = reader
        .format
        .get(reader.at..)
        .filter(|rest| !rest.is_empty())
    else {
        printer.put(b"%!(NOVERB)");
        return;
    };
    let (letter, size) = decode(rest);
    let verb = letter.unwrap_or(char::REPLACEMENT_CHARACTER);
    reader.at += size;
    if verb == '%' {
        printer.put(b"%");
    } else if !reader.good {
        wrong(printer, verb, b"(BADINDEX)");
    } else if reader.next >= reader.args.len() {
        wrong(printer, verb, b"(MISSING)");
    } else {
        verb_with_argument(printer, reader, verb);
    }
}

fn verb_with_argument(printer: &mut Printer<'_>, reader: &mut Reader<'_>, verb: char) {
    if matches!(verb, 'v' | 'w') {
        let spec = &mut printer.spec;
        spec.syntax = std::mem::replace(&mut spec.sharp, false);
        spec.names = std::mem::replace(&mut spec.plus, false);
    }
    printer.argument(&reader.args[reader.next], verb);
    reader.next += 1;
}

fn wrong(printer: &mut Printer<'_>, verb: char, what: &[u8]) {
    printer.put(b"%!");
    printer.put_char(verb);
    printer.put(what);
}

fn width(printer: &mut Printer<'_>, reader: &mut Reader<'_>) {
    if reader.peek() == Some(b'*') {
        reader.at += 1;
        match reader.star() {
            Some(width) => {
                let spec = &mut printer.spec;
                spec.width = usize::try_from(width.unsigned_abs()).ok();
                if width < 0 {
                    spec.minus = true;
                    // No zeros to the right.
                    spec.zero = false;
                }
            }
            None => printer.put(b"%!(BADWIDTH)"),
        }
        reader.numbered = false;
    } else {
        printer.spec.width = reader.number();
        if reader.numbered && printer.spec.width.is_some() {
            reader.good = false;
        }
    }
}

fn precision(printer: &mut Printer<'_>, reader: &mut Reader<'_>) {
    // A point at the very end is the verb.
    if reader.peek() != Some(b'.') || reader.at + 1 >= reader.format.len() {
        return;
    }
    reader.at += 1;
    if reader.numbered {
        reader.good = false;
    }
    reader.argument_number();
    if reader.peek() == Some(b'*') {
        reader.at += 1;
        let precision = reader.star().and_then(|n| usize::try_from(n).ok());
        printer.spec.precision = precision;
        if precision.is_none() {
            printer.put(b"%!(BADPREC)");
        }
        reader.numbered = false;
    } else {
        printer.spec.precision = Some(reader.number().unwrap_or(0));
    }
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }

    /// A number in the format; one that is too large ends the format.
    fn number(&mut self) -> Option<usize> {
        let (number, end) = number(self.format, self.at, self.format.len());
        self.at = end;
        number
    }

    /// The next argument as a width or precision.
    fn star(&mut self) -> Option<i64> {
        let value = self.args.get(self.next)?;
        self.next += 1;
        let number = value
            .as_signed()
            .or_else(|| value.as_unsigned().and_then(|n| i64::try_from(n).ok()))?;
        (-LARGEST..=LARGEST).contains(&number).then_some(number)
    }

    /// `[n]`, when it stands here: the argument to go on with.
    fn argument_number(&mut self) {
        self.numbered = false;
        if self.peek() != Some(b'[') {
            return;
        }
        self.reordered = true;
        let rest = &self.format[self.at..];
        let close = match rest.len() {
            0..3 => None,
            _ => rest.iter().position(|byte| *byte == b']'),
        };
        let Some(close) = close else {
            self.good = false;
            self.at += 1;
            return;
        };
        let (index, end) = number(rest, 1, close);
        self.at += close + 1;
        match index {
            Some(index) if end == close => {
                self.numbered = true;
                if index >= 1 && index <= self.args.len() {
                    self.next = index - 1;
                } else {
                    self.good = false;
                }
            }
            _ => self.good = false,
        }
    }
}

/// Decimal digits from `start`; where they end. Too many of them are no number, and go to the end.
fn number(text: &[u8], start: usize, end: usize) -> (Option<usize>, usize) {
    if start >= end {
        return (None, end);
    }
    let mut number: i64 = 0;
    let mut at = start;
    while at < end && text[at].is_ascii_digit() {
        if number > LARGEST {
            return (None, end);
        }
        number = number * 10 + i64::from(text[at] - b'0');
        at += 1;
    }
    let found = (at > start).then(|| usize::try_from(number).unwrap_or(0));
    (found, at)
}
