//! Any value as text, as sprig does it wherever it takes anything for a string.

use qm_gotemplate::{Context, Failure, Str, Value, fmt};

use crate::items::items;

/// The text of a value.
pub(crate) fn strval(context: &Context<'_>, value: &Value) -> Result<Str, Failure> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Bytes(bytes) => Ok(Str::from_bytes(bytes.to_vec())),
        value => sprint(context, value),
    }
}

/// `fmt.Sprint`.
pub(crate) fn sprint(context: &Context<'_>, value: &Value) -> Result<Str, Failure> {
    let limit = context.limits().value_bytes;
    fmt::sprint(std::slice::from_ref(value), limit).map(Str::from_bytes)
}

/// A value as `[]string`: the elements of a list without the nil ones, or one text.
pub(crate) fn strslice(context: &Context<'_>, value: &Value) -> Result<Vec<Str>, Failure> {
    match items(value) {
        Some(list) => list
            .iter()
            .filter(|item| !item.is_nothing())
            .map(|item| strval(context, item))
            .collect(),
        None if value.is_nothing() => Ok(Vec::new()),
        None => Ok(vec![strval(context, value)?]),
    }
}
