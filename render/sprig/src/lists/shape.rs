//! Reversing, cutting and joining lists.

use qm_gotemplate::{Context, Failure, Functions, List, Signature, Type, Value};

use super::{both, too_many};
use crate::cast::{to_int, truncated};
use crate::items::{items, nil_list, wanted};
use crate::panics::{MAKE_SLICE, NIL_POINTER};

pub(super) fn add(to: &mut Functions) {
    let one = Signature::new([Type::Any]).returns(Type::list());
    both(to, "reverse", one, |_, args| {
        let list = wanted(args.get(0), "Cannot find reverse on type")?;
        Ok(list.iter().rev().cloned().collect::<Vec<_>>().into())
    });
    let signature = Signature::variadic([Type::Any], Type::Any);
    both(to, "slice", signature, |_, args| {
        let list = wanted(args.get(0), "list should be type of slice or array but")?;
        if list.is_empty() {
            return Ok(Value::Nil);
        }
        let start = if args.len() > 1 {
            to_int(args.get(1))
        } else {
            0
        };
        let length = i64::try_from(list.len()).unwrap_or(i64::MAX);
        let end = if args.len() > 2 {
            to_int(args.get(2))
        } else {
            length
        };
        let part = match (usize::try_from(start), usize::try_from(end)) {
            (Ok(start), Ok(end)) => list.slice(start, end),
            _ => None,
        };
        part.map(|part| as_given(args.get(0), part))
            .ok_or_else(|| "reflect.Value.Slice: slice index out of bounds".into())
    });
    let signature = Signature::variadic([], Type::Any);
    to.add("concat", signature, |_, args| {
        let mut all = Vec::new();
        for value in args.all() {
            match items(value) {
                Some(list) => all.extend_from_slice(list.as_slice()),
                None if value.is_nothing() => return Err(NIL_POINTER.into()),
                None => {
                    let kind = value.kind();
                    return Err(format!("Cannot concat type {kind} as list").into());
                }
            }
        }
        Ok(if all.is_empty() {
            nil_list()
        } else {
            all.into()
        })
    });
    let signature = Signature::new([Type::Int, Type::Any]).returns(Type::slice(Type::list()));
    both(to, "chunk", signature, |context, args| {
        let list = wanted(args.get(1), "Cannot chunk type")?;
        chunks(context, args.int(0), &list)
    });
}

/// A part of `[]uint8` is such a list too.
fn as_given(given: &Value, part: List) -> Value {
    match given {
        Value::Bytes(_) => {
            let bytes = part.iter().filter_map(Value::as_unsigned);
            let bytes = bytes.filter_map(|byte| u8::try_from(byte).ok());
            Value::Bytes(bytes.collect())
        }
        _ => part.into(),
    }
}

/// Go counts the chunks with floats, so a size of zero or less has its own odd ends.
fn chunks(context: &mut Context<'_>, size: i64, list: &List) -> Result<Value, Failure> {
    let element = Type::list();
    let length = i64::try_from(list.len()).unwrap_or(i64::MAX);
    #[allow(clippy::cast_precision_loss, reason = "Go computes it in this way")]
    let count = truncated(((length - 1) as f64 / size as f64).floor() + 1.0);
    let count = usize::try_from(count).map_err(|_| MAKE_SLICE)?;
    // A negative size makes no chunk, or one of a single element.
    let size = match usize::try_from(size) {
        Ok(size) if size > 0 => size,
        _ if count == 0 => return Ok(List::typed(element, Vec::new()).into()),
        _ if list.len() == 1 => 1,
        _ => return Err(MAKE_SLICE.into()),
    };
    if count > list.len() {
        return Err(too_many("chunk"));
    }
    context.allow(count.saturating_mul(size_of::<Value>()))?;
    let parts = list.as_slice().chunks(size);
    let parts = parts.map(|part| Value::from(part.to_vec()));
    Ok(List::typed(element, parts.collect()).into())
}
