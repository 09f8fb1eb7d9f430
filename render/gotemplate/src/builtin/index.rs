//! `index`, `slice` and `len`.

use crate::function::Failure;
use crate::types::{Kind, Type};
use crate::value::Value;

fn type_name(value: &Value) -> String {
    let name = value.type_of().map(|kind| kind.to_string());
    name.unwrap_or_else(|| "<nil>".to_owned())
}

/// As Go's `indirect` leaves it: what a pointer points to has no star.
fn pointed_to(value: &Value) -> String {
    let name = type_name(value);
    match value.kind() {
        Kind::Ptr => name.trim_start_matches('*').to_owned(),
        _ => name,
    }
}

pub(super) fn length(item: &Value) -> Result<Value, Failure> {
    let plain = item.plain();
    Ok(match &plain {
        Value::Missing => {
            return Err("reflect: call of reflect.Value.Type on zero Value".into());
        }
        Value::Nil => return Err("len of nil pointer".into()),
        Value::NilOf(of) => match of.kind() {
            Kind::Map | Kind::Slice => Value::Int(0),
            Kind::Ptr => return Err("len of nil pointer".into()),
            _ => return Err(Failure::new(format!("len of type {of}"))),
        },
        Value::String(text) => text.len().into(),
        Value::Bytes(bytes) => bytes.len().into(),
        Value::List(list) => list.len().into(),
        Value::Map(map) => map.len().into(),
        _ => return Err(Failure::new(format!("len of type {}", pointed_to(item)))),
    })
}

/// A position in something of this length.
fn position(index: &Value, length: usize) -> Result<usize, Failure> {
    #[allow(clippy::cast_possible_wrap, reason = "Go converts in the same way")]
    let at = match (index.as_signed(), index.as_unsigned()) {
        (Some(n), _) => n,
        (_, Some(n)) => n as i64,
        _ if index.is_nothing() => return Err("cannot index slice/array with nil".into()),
        _ => {
            let name = type_name(index);
            return Err(Failure::new(format!(
                "cannot index slice/array with type {name}"
            )));
        }
    };
    usize::try_from(at)
        .ok()
        .filter(|at| *at <= length)
        .ok_or_else(|| Failure::new(format!("index out of range: {at}")))
}

pub(super) fn index(item: &Value, indexes: &[Value]) -> Result<Value, Failure> {
    if item.is_nothing() {
        return Err("index of untyped nil".into());
    }
    let mut item = item.clone();
    for index in indexes {
        item = step(&item, index)?;
    }
    Ok(item)
}

fn step(item: &Value, index: &Value) -> Result<Value, Failure> {
    match item.plain() {
        Value::Missing | Value::Nil => Err("index of nil pointer".into()),
        Value::String(text) => {
            let at = position(index, text.len())?;
            let byte = text.as_bytes().get(at).copied();
            byte.map(Value::Uint8)
                .ok_or_else(|| "reflect: string index out of range".into())
        }
        Value::Bytes(bytes) => {
            let at = position(index, bytes.len())?;
            bytes.get(at).copied().map(Value::Uint8).ok_or_else(outside)
        }
        Value::List(list) => {
            let at = position(index, list.len())?;
            list.get(at).cloned().ok_or_else(outside)
        }
        Value::Map(map) => {
            let key = key(index)?;
            let found = key.as_string().and_then(|key| map.get(key.as_bytes()));
            Ok(found.unwrap_or_else(|| map.element().zero()))
        }
        Value::NilOf(of) => match &*of {
            Type::Map(element) => key(index).map(|_| element.zero()),
            Type::Slice(_) => position(index, 0).and_then(|_| Err(outside())),
            of if of.kind() == Kind::Ptr => Err("index of nil pointer".into()),
            of => Err(Failure::new(format!("can't index item of type {of}"))),
        },
        _ => {
            let name = pointed_to(item);
            Err(Failure::new(format!("can't index item of type {name}")))
        }
    }
}

fn outside() -> Failure {
    Failure::new("reflect: slice index out of range")
}

fn key(index: &Value) -> Result<Value, Failure> {
    if index.is_nothing() {
        return Err("value is nil; should be of type string".into());
    }
    Type::String.assign(index.clone()).map_err(|index| {
        Failure::new(format!(
            "value has type {}; should be string",
            type_name(&index)
        ))
    })
}

/// `boxed` tells which indexes lay in an `interface {}`: Go does not look into those.
pub(super) fn slice(item: &Value, indexes: &[Value], boxed: u64) -> Result<Value, Failure> {
    if item.is_nothing() {
        return Err("slice of untyped nil".into());
    }
    let plain = item.plain();
    if matches!(&plain, Value::NilOf(of) if of.kind() == Kind::Ptr) {
        return Err("slice of nil pointer".into());
    }
    if indexes.len() > 3 {
        let count = indexes.len();
        return Err(Failure::new(format!("too many slice indexes: {count}")));
    }
    let (length, capacity) = match &plain {
        Value::String(_) if indexes.len() == 3 => {
            return Err("cannot 3-index slice a string".into());
        }
        Value::String(text) => (text.len(), text.len()),
        Value::Bytes(bytes) => (bytes.len(), bytes.len()),
        Value::List(list) => (list.len(), list.capacity()),
        Value::NilOf(of) if of.kind() == Kind::Slice => (0, 0),
        _ => {
            let name = pointed_to(item);
            return Err(Failure::new(format!("can't slice item of type {name}")));
        }
    };
    let mut at = [0, length, 0];
    for (number, index) in indexes.iter().enumerate() {
        if boxed >> number & 1 == 1 {
            return Err("cannot index slice/array with type interface {}".into());
        }
        at[number] = position(index, capacity)?;
    }
    let [start, end, limit] = at;
    let invalid = |a: usize, b: usize| Failure::new(format!("invalid slice index: {a} > {b}"));
    if start > end {
        return Err(invalid(start, end));
    }
    let three = indexes.len() == 3;
    if three && end > limit {
        return Err(invalid(end, limit));
    }
    let part = match &plain {
        Value::String(text) => text.slice(start, end).map(Value::String),
        Value::Bytes(bytes) => bytes.get(start..end).map(|part| Value::Bytes(part.into())),
        Value::List(list) if three => list.slice_within(start, end, limit).map(Value::List),
        Value::List(list) => list.slice(start, end).map(Value::List),
        nil => Some(nil.clone()),
    };
    part.ok_or_else(outside)
}
