//! Functions on one string. Registered by [`functions`](crate::functions).
//!
//! The rule: a string is bytes, as in Go; what Go does by bytes is done by bytes here.

mod abbreviate;
mod cases;
mod letters;
mod parts;
mod print;
mod words;
mod wrap;

use qm_gotemplate::{Functions, Signature, Str, Type, Value};

pub(crate) fn add(to: &mut Functions) {
    to.add("hello", Signature::new([]).returns(Type::String), |_, _| {
        Ok(Value::fixed("Hello!"))
    });
    abbreviate::add(to);
    cases::add(to);
    letters::add(to);
    parts::add(to);
    print::add(to);
    words::add(to);
    wrap::add(to);
}

/// A string value from bytes.
pub(crate) fn text(bytes: Vec<u8>) -> Value {
    Value::String(Str::from_bytes(bytes))
}

/// Takes one string, returns a string.
pub(crate) fn one() -> Signature {
    Signature::new([Type::String]).returns(Type::String)
}

/// Takes two strings, returns a string.
pub(crate) fn two() -> Signature {
    Signature::new([Type::String, Type::String]).returns(Type::String)
}
