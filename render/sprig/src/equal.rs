//! `reflect.DeepEqual` over values: equal types, then equal contents. `deepEqual`, `has`, `uniq` and
//! `without` ask it.

use std::sync::Arc;

use qm_gotemplate::{Failure, Limit, Value};

/// How deep values may be nested to be compared; a map that holds itself has no end.
pub(crate) const MAX_DEPTH: u32 = 128;

/// The failure of functions that walk values.
pub(crate) fn too_deep() -> Failure {
    Failure::limit(
        Limit::Depth,
        format!("value is nested deeper than {MAX_DEPTH}"),
    )
}

/// Whether Go would call them deeply equal.
pub(crate) fn deep_equal(left: &Value, right: &Value) -> Result<bool, Failure> {
    compare(left, right, 0)
}

fn compare(left: &Value, right: &Value, depth: u32) -> Result<bool, Failure> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    Ok(match (left, right) {
        (Value::Missing | Value::Nil, Value::Missing | Value::Nil) => true,
        (Value::NilOf(a), Value::NilOf(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Float32(a), Value::Float32(b)) => a == b,
        (Value::Float64(a), Value::Float64(b)) => a == b,
        (Value::Complex(a, b), Value::Complex(c, d)) => a == c && b == d,
        (Value::Bytes(a), Value::Bytes(b)) => a == b,
        (Value::List(a), Value::List(b)) => {
            if a.element() != b.element() || a.len() != b.len() {
                return Ok(false);
            }
            if a.same(b) {
                return Ok(true);
            }
            for (a, b) in a.iter().zip(b) {
                if !compare(a, b, depth + 1)? {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Map(a), Value::Map(b)) => {
            if a.element() != b.element() || a.len() != b.len() {
                return Ok(false);
            }
            if a.same(b) {
                return Ok(true);
            }
            for (key, a) in a.entries() {
                match b.get(key.as_bytes()) {
                    Some(b) if compare(&a, &b, depth + 1)? => {}
                    _ => return Ok(false),
                }
            }
            true
        }
        (Value::Object(a), Value::Object(b)) => {
            if Arc::ptr_eq(a, b) {
                return Ok(true);
            }
            if a.type_name() != b.type_name() {
                return Ok(false);
            }
            match (a.equals(&**b), a.underlying(), b.underlying()) {
                (Some(equal), _, _) => equal,
                (None, Some(a), Some(b)) => compare(&a, &b, depth + 1)?,
                _ => {
                    let (a, b) = (a.fields(), b.fields());
                    if a.len() != b.len() {
                        return Ok(false);
                    }
                    for ((_, a), (_, b)) in a.iter().zip(&b) {
                        if !compare(a, b, depth + 1)? {
                            return Ok(false);
                        }
                    }
                    true
                }
            }
        }
        (Value::Object(_), _) | (_, Value::Object(_)) => false,
        (a, b) if a.kind() == b.kind() => match (a.as_signed(), b.as_signed()) {
            (Some(a), Some(b)) => a == b,
            _ => matches!((a.as_unsigned(), b.as_unsigned()), (Some(a), Some(b)) if a == b),
        },
        _ => false,
    })
}
