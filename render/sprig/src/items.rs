//! Values that Go's reflection sees as a slice, whatever their type: functions on lists take them all.

use qm_gotemplate::{Failure, Kind, List, Type, Value};

use crate::panics::NIL_POINTER;

/// The elements of a slice of any type.
pub(crate) fn items(value: &Value) -> Option<List> {
    match value {
        Value::List(list) => Some(list.clone()),
        Value::Bytes(bytes) => {
            let bytes = bytes.iter().map(|byte| Value::Uint8(*byte));
            Some(List::typed(Type::Uint8, bytes.collect()))
        }
        Value::NilOf(of) => match &**of {
            Type::Slice(element) => Some(List::typed(Type::clone(element), Vec::new())),
            _ => None,
        },
        Value::Object(object) => items(&object.underlying()?),
        _ => None,
    }
}

/// The elements, or sprig's complaint: `complaint` with the kind behind it.
pub(crate) fn wanted(value: &Value, complaint: &str) -> Result<List, Failure> {
    items(value).ok_or_else(|| match value.kind() {
        Kind::Invalid => Failure::new(NIL_POINTER),
        kind => Failure::new(format!("{complaint} {kind}")),
    })
}

/// A nil `[]interface {}`: what some functions return for nothing.
pub(crate) fn nil_list() -> Value {
    Value::NilOf(Type::list().into())
}
