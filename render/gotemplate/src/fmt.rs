//! Go's `fmt` over values: what an action prints, and what `print`, `println` and `printf` return.
//! Functions of others use it where Go's would call `fmt`.
//!
//! The rule: a printer stops at its limit, so that no format can ask for more memory than allowed.

mod bytes;
mod directive;
mod float;
mod integer;
mod quote;
mod spec;
mod text;
mod value;

pub(crate) use bytes::{decode, rune_count};
pub use quote::quoted;
pub(crate) use quote::{quoted_bytes, quoted_start};

use spec::Spec;

use crate::error::Limit;
use crate::function::Failure;
use crate::types::Kind;
use crate::value::{Str, Value};

/// How deep values may be nested to be printed; a map that holds itself has no end.
const MAX_DEPTH: u32 = 128;

/// Writes values as Go would.
pub(crate) struct Printer<'a> {
    out: &'a mut Vec<u8>,
    limit: usize,
    failure: Option<Failure>,
    spec: Spec,
    /// Inside the report of a verb that does not fit: `String` methods are not asked.
    complaining: bool,
}

impl<'a> Printer<'a> {
    /// Appends to `out`, which must not become longer than `limit`.
    pub(crate) fn new(out: &'a mut Vec<u8>, limit: usize) -> Self {
        Self {
            out,
            limit,
            failure: None,
            spec: Spec::default(),
            complaining: false,
        }
    }

    /// One value as an action prints it: what a pointer points to, not `&` and that.
    pub(crate) fn display(mut self, value: &Value) -> Result<(), Failure> {
        self.displayed(value);
        self.finish()
    }

    fn displayed(&mut self, value: &Value) {
        match value {
            Value::Missing | Value::Nil => self.put(b"<no value>"),
            Value::Object(object) if object.kind() == Kind::Ptr && object.text().is_none() => {
                self.pointee(&**object);
            }
            _ => self.argument(value, 'v'),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        self.failure.map_or(Ok(()), Err)
    }

    fn put(&mut self, bytes: &[u8]) {
        if self.failure.is_some() {
            return;
        }
        if bytes.len() > self.limit.saturating_sub(self.out.len()) {
            self.too_large();
        } else {
            self.out.extend_from_slice(bytes);
        }
    }

    fn fill(&mut self, byte: u8, count: usize) {
        if self.failure.is_some() {
            return;
        }
        if count > self.limit.saturating_sub(self.out.len()) {
            self.too_large();
        } else {
            self.out.resize(self.out.len() + count, byte);
        }
    }

    fn put_char(&mut self, c: char) {
        self.put(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    #[cold]
    fn too_large(&mut self) {
        let text = format!("exceeded the limit of {} bytes", self.limit);
        self.failure = Some(Failure::limit(Limit::Value, text));
    }

    #[cold]
    fn too_deep(&mut self) {
        let text = format!("value is nested deeper than {MAX_DEPTH}");
        self.failure = Some(Failure::limit(Limit::Depth, text));
    }
}

/// `fmt.Sprint`: a space between operands when neither is a string.
///
/// # Errors
/// When the text would be longer than `limit`, or a value is nested too deeply.
pub fn sprint(args: &[Value], limit: usize) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    let mut printer = Printer::new(&mut out, limit);
    let mut after_string = true;
    for arg in args {
        let string = arg.kind() == Kind::String;
        if !string && !after_string {
            printer.put(b" ");
        }
        printer.argument(arg, 'v');
        after_string = string;
    }
    printer.finish()?;
    Ok(out)
}

/// As [`sprint`], each operand as an action would print it; nothing counts as a string.
pub(crate) fn display_all(args: &[Value], limit: usize) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    let mut printer = Printer::new(&mut out, limit);
    let mut after_string = true;
    for arg in args {
        let string = arg.is_nothing() || arg.kind() == Kind::String;
        if !string && !after_string {
            printer.put(b" ");
        }
        printer.displayed(arg);
        after_string = string;
    }
    printer.finish()?;
    Ok(out)
}

/// `fmt.Sprintln`: always spaces, and a line end.
///
/// # Errors
/// As [`sprint`].
pub fn sprintln(args: &[Value], limit: usize) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    let mut printer = Printer::new(&mut out, limit);
    for (index, arg) in args.iter().enumerate() {
        if index > 0 {
            printer.put(b" ");
        }
        printer.argument(arg, 'v');
    }
    printer.put(b"\n");
    printer.finish()?;
    Ok(out)
}

/// `fmt.Sprintf`.
///
/// # Errors
/// As [`sprint`].
pub fn sprintf(format: &[u8], args: &[Value], limit: usize) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::with_capacity(format.len() + 16 * args.len());
    let mut printer = Printer::new(&mut out, limit);
    directive::run(&mut printer, format, args);
    printer.finish()?;
    Ok(out)
}

/// One value as `fmt.Sprint` gives it; a string is given back as it is.
///
/// # Errors
/// When the value is nested too deeply.
pub fn text_of(value: &Value) -> Result<Str, Failure> {
    if let Value::String(text) = value {
        return Ok(text.clone());
    }
    sprint(std::slice::from_ref(value), usize::MAX).map(Str::from_bytes)
}
