//! Values from JSON, with the kind of number that the caller's Go counterpart would have got, and
//! back to JSON.

use serde_json::{Map as JsonMap, Number, Value as Json};

use super::{JsonNumber, List, Map, Str, Value};

/// What a JSON number becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// `float64`, always: `encoding/json` into an `interface {}`.
    Float64,
    /// `int64` when it is a whole number that fits, otherwise `float64`: Kubernetes' decoder.
    Int64,
    /// `json.Number`, the text itself: a decoder told to `UseNumber`, as Helm's is for values.
    Text,
}

impl Value {
    /// A value from JSON. `serde_json` reads no deeper than 128 levels, so this is not deep either.
    #[must_use]
    pub fn from_json(json: &Json, numbers: Numbers) -> Self {
        match json {
            Json::Null => Self::Nil,
            Json::Bool(x) => Self::Bool(*x),
            Json::Number(number) => number_value(number, numbers),
            Json::String(text) => Self::String(text.as_str().into()),
            Json::Array(items) => {
                let items = items.iter().map(|item| Self::from_json(item, numbers));
                Self::List(List::new(items.collect()))
            }
            Json::Object(entries) => Self::Map(map_from_json(entries, numbers)),
        }
    }
}

fn map_from_json(entries: &JsonMap<String, Json>, numbers: Numbers) -> Map {
    entries
        .iter()
        .map(|(key, value)| (Str::from(key.as_str()), Value::from_json(value, numbers)))
        .collect()
}

fn number_value(number: &Number, numbers: Numbers) -> Value {
    let float = || Value::Float64(number.as_f64().unwrap_or(f64::NAN));
    match numbers {
        Numbers::Float64 => float(),
        Numbers::Int64 => number.as_i64().map_or_else(float, Value::Int64),
        Numbers::Text => Value::object(JsonNumber(number.to_string().into())),
    }
}
