//! Makes parameters from a JSON Schema: the smallest object it takes, a richer one, a different one, a wrong one.
//!
//! Called by `plan` where the user gave no parameters. It knows the plain keywords; a schema beyond them
//! needs a parameters file, and a value it gets wrong is refused by the broker and reported as a
//! failed set-up, never as a fault.

use crate::Object;
use serde_json::{Value, json};

/// The required properties only. Nothing when the schema requires nothing.
pub(crate) fn smallest(schema: &Value) -> Option<Object> {
    let required = required(schema);
    if required.is_empty() {
        return None;
    }
    Some(
        required
            .into_iter()
            .map(|name| (name.to_owned(), value(&schema["properties"][name])))
            .collect(),
    )
}

/// The required properties, or the first optional one.
pub(crate) fn something(schema: &Value) -> Option<Object> {
    smallest(schema).or_else(|| {
        let (name, property) = schema["properties"].as_object()?.iter().next()?;
        Some(Object::from_iter([(name.clone(), value(property))]))
    })
}

/// An object the schema takes that differs from `usual`: another value for a property, or one property more.
pub(crate) fn different(schema: Option<&Value>, usual: &Object) -> Option<Object> {
    let mut other = usual.clone();
    if let Some(properties) = schema.and_then(|schema| schema["properties"].as_object()) {
        for (name, property) in properties {
            let first = value(property);
            if usual.get(name) != Some(&first) {
                other.insert(name.clone(), first);
                return Some(other);
            }
            if let Some(second) = second_value(property, &first) {
                other.insert(name.clone(), second);
                return Some(other);
            }
        }
    }
    if is_closed(schema) {
        return None;
    }
    other.insert("x_conformance_other".to_owned(), json!("another value"));
    Some(other)
}

/// An object the schema refuses, when the schema refuses anything this can find.
pub(crate) fn wrong(schema: &Value, usual: &Object) -> Option<Object> {
    let mut other = usual.clone();
    if is_closed(Some(schema)) {
        other.insert("x_conformance_unknown".to_owned(), json!(true));
        return Some(other);
    }
    let (name, property) = schema["properties"].as_object()?.iter().next()?;
    let bad = match property["type"].as_str()? {
        "string" => json!(17),
        _ => json!("not of this type"),
    };
    other.insert(name.clone(), bad);
    Some(other)
}

fn is_closed(schema: Option<&Value>) -> bool {
    schema.is_some_and(|schema| schema["additionalProperties"] == json!(false))
}

fn required(schema: &Value) -> Vec<&str> {
    schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// A value a property takes.
fn value(property: &Value) -> Value {
    for key in ["default", "const", "example"] {
        if let Some(value) = property.get(key) {
            return value.clone();
        }
    }
    for key in ["enum", "examples"] {
        if let Some(first) = property[key].get(0) {
            return first.clone();
        }
    }
    let kind = match &property["type"] {
        Value::Array(kinds) => kinds
            .iter()
            .find_map(|kind| kind.as_str().filter(|k| *k != "null")),
        kind => kind.as_str(),
    };
    match kind {
        Some("integer" | "number") => property
            .get("minimum")
            .or_else(|| property.get("maximum"))
            .cloned()
            .unwrap_or(json!(1)),
        Some("boolean") => json!(true),
        Some("array") => {
            let least = property["minItems"].as_u64().unwrap_or(0);
            Value::Array((0..least).map(|_| value(&property["items"])).collect())
        }
        Some("object") => Value::Object(smallest(property).unwrap_or_default()),
        _ => {
            let least = property["minLength"].as_u64().unwrap_or(1).max(1);
            let least = usize::try_from(least).unwrap_or(1).min(4096);
            Value::String("conformance".chars().cycle().take(least.max(3)).collect())
        }
    }
}

/// A value a property takes beside the first.
fn second_value(property: &Value, first: &Value) -> Option<Value> {
    if let Some(words) = property["enum"].as_array() {
        return words.iter().find(|word| *word != first).cloned();
    }
    if property.get("const").is_some() {
        return None;
    }
    match first {
        Value::Bool(first) => Some(json!(!first)),
        Value::Number(first) => {
            let next = first.as_i64()? + 1;
            let fits = property["maximum"].as_i64().is_none_or(|most| next <= most);
            fits.then(|| json!(next))
        }
        Value::String(first)
            if property.get("pattern").is_none() && property.get("format").is_none() =>
        {
            let other = format!("{first}x");
            let fits = property["maxLength"]
                .as_u64()
                .is_none_or(|most| other.len() as u64 <= most);
            fits.then_some(Value::String(other))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Value {
        json!({
            "$schema": "http://json-schema.org/draft-04/schema#",
            "type": "object",
            "additionalProperties": false,
            "required": ["size"],
            "properties": {
                "size": {"type": "integer", "minimum": 3, "maximum": 4},
                "kind": {"enum": ["a", "b"]},
            },
        })
    }

    #[test]
    fn the_smallest_object_has_what_is_required() {
        assert_eq!(
            smallest(&schema()).unwrap(),
            *json!({"size": 3}).as_object().unwrap()
        );
        assert_eq!(smallest(&json!({"type": "object"})), None);
    }

    #[test]
    fn different_is_valid_and_different() {
        let usual = smallest(&schema()).unwrap();
        let other = different(Some(&schema()), &usual).unwrap();
        assert_ne!(usual, other);
        assert!(other.keys().all(|key| key == "size" || key == "kind"));
        assert!(different(None, &Object::new()).is_some());
        assert_eq!(
            different(
                Some(&json!({"additionalProperties": false})),
                &Object::new()
            ),
            None
        );
    }

    #[test]
    fn wrong_breaks_the_schema() {
        assert!(
            wrong(&schema(), &Object::new())
                .unwrap()
                .contains_key("x_conformance_unknown")
        );
        let open = json!({"properties": {"name": {"type": "string"}}});
        assert_eq!(wrong(&open, &Object::new()).unwrap()["name"], 17);
    }
}
