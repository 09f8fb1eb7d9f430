//! `eq`, `ne`, `lt`, `le`, `gt`, `ge`: numbers of one sort compare whatever their width, other sorts
//! do not mix.

use std::sync::Arc;

use crate::fmt;
use crate::function::Failure;
use crate::types::Kind;
use crate::value::{Str, Value};

const BAD_TYPE: &str = "invalid type for comparison";
/// More of a value than this in an error text helps nobody.
const SHOWN: usize = 1 << 16;

/// What can be compared by order, taken out of its width and name.
#[derive(Clone, PartialEq)]
enum Basic {
    Bool(bool),
    Complex(f64, f64),
    Int(i64),
    Float(f64),
    String(Str),
    Uint(u64),
}

fn basic(value: &Value) -> Option<Basic> {
    Some(match value {
        Value::Bool(x) => Basic::Bool(*x),
        Value::String(text) => Basic::String(text.clone()),
        Value::Float64(x) => Basic::Float(*x),
        Value::Float32(x) => Basic::Float(f64::from(*x)),
        Value::Complex(re, im) => Basic::Complex(*re, *im),
        Value::Object(object) => match object.kind() {
            Kind::Struct | Kind::Ptr => return None,
            _ => return basic(&object.underlying()?),
        },
        number => match (number.as_signed(), number.as_unsigned()) {
            (Some(n), _) => Basic::Int(n),
            (_, Some(n)) => Basic::Uint(n),
            _ => return None,
        },
    })
}

fn incompatible(a: &Value, b: &Value) -> Failure {
    let name = |value: &Value| {
        value
            .type_of()
            .map(|kind| kind.to_string())
            .unwrap_or_default()
    };
    let (a, b) = (name(a), name(b));
    Failure::new(format!("incompatible types for comparison: {a} and {b}"))
}

/// Whether the first equals one of the others.
pub(super) fn any_equal(first: &Value, others: &[Value]) -> Result<bool, Failure> {
    if others.is_empty() {
        return Err("missing argument for comparison".into());
    }
    for other in others {
        if equal(first, other)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn equal(a: &Value, b: &Value) -> Result<bool, Failure> {
    // The most usual comparison, without copying anything.
    if let (Value::String(a), Value::String(b)) = (a, b) {
        return Ok(a == b);
    }
    match (basic(a), basic(b)) {
        (Some(Basic::Int(a)), Some(Basic::Uint(b)))
        | (Some(Basic::Uint(b)), Some(Basic::Int(a))) => Ok(u64::try_from(a) == Ok(b)),
        (Some(x), Some(y)) => {
            if std::mem::discriminant(&x) == std::mem::discriminant(&y) {
                Ok(x == y)
            } else {
                Err(incompatible(a, b))
            }
        }
        (None, None) => equal_other(a, b),
        _ if a.is_nothing() || b.is_nothing() => Ok(false),
        _ => Err(incompatible(a, b)),
    }
}

fn equal_other(a: &Value, b: &Value) -> Result<bool, Failure> {
    let (kind, other) = (a.kind(), b.kind());
    let nothing = a.is_nothing() || b.is_nothing();
    if kind != other && !nothing {
        let shown = show("non-comparable types %s: %T, %T: %v", &[a, a, b, b]);
        return Err(Failure::new(shown));
    }
    let is_nil = |value: &Value| value.is_nothing() || matches!(value, Value::NilOf(_));
    if is_nil(a) || is_nil(b) {
        return Ok(is_nil(a) == is_nil(b));
    }
    if let (Value::Object(x), Value::Object(y)) = (a, b) {
        if kind == Kind::Ptr {
            return Ok(Arc::ptr_eq(x, y));
        }
        if let Some(equal) = x.equals(&**y) {
            return Ok(equal);
        }
    }
    Err(Failure::new(show("non-comparable type %s: %T", &[b, b])))
}

fn show(format: &str, args: &[&Value]) -> String {
    let args: Vec<Value> = args.iter().copied().cloned().collect();
    match fmt::sprintf(format.as_bytes(), &args, SHOWN) {
        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
        Err(failure) => failure.to_string(),
    }
}

pub(super) fn less(a: &Value, b: &Value) -> Result<bool, Failure> {
    let (Some(x), Some(y)) = (basic(a), basic(b)) else {
        return Err(BAD_TYPE.into());
    };
    match (x, y) {
        (Basic::Bool(_), Basic::Bool(_)) | (Basic::Complex(..), Basic::Complex(..)) => {
            Err(BAD_TYPE.into())
        }
        (Basic::Int(x), Basic::Int(y)) => Ok(x < y),
        (Basic::Uint(x), Basic::Uint(y)) => Ok(x < y),
        (Basic::Float(x), Basic::Float(y)) => Ok(x < y),
        (Basic::String(x), Basic::String(y)) => Ok(x < y),
        (Basic::Int(x), Basic::Uint(y)) => Ok(u64::try_from(x).is_ok_and(|x| x < y) || x < 0),
        (Basic::Uint(x), Basic::Int(y)) => Ok(u64::try_from(y).is_ok_and(|y| x < y)),
        _ => Err(incompatible(a, b)),
    }
}

pub(super) fn less_or_equal(a: &Value, b: &Value) -> Result<bool, Failure> {
    Ok(less(a, b)? || equal(a, b)?)
}
