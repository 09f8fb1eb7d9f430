//! JSON objects in which no name comes twice. Tokens are read through it.
//!
//! The rule: two readers must not understand one token differently. Most parsers take the last of two equal
//! names, some the first; a token that has two is refused.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Reads an object; nothing when it is none or a name comes twice at any depth.
pub(super) fn object(json: &[u8]) -> Option<Map<String, Value>> {
    match serde_json::from_slice::<Strict>(json) {
        Ok(Strict(Value::Object(object))) => Some(object),
        _ => None,
    }
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Any).map(Self)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(value)) = from.next_element()? {
            list.push(value);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Strict(value))) = from.next_entry::<String, Strict>()? {
            if object.insert(name, value).is_some() {
                return Err(A::Error::custom("a name comes twice"));
            }
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_any_parser_reads() {
        let json = r#"{"a": [1, -2, 2.5, "x", null, true], "b": {"a": {}}}"#;
        let read = object(json.as_bytes()).unwrap();
        assert_eq!(
            Value::Object(read),
            serde_json::from_str::<Value>(json).unwrap()
        );
    }

    #[test]
    fn a_name_that_comes_twice_is_refused_at_any_depth() {
        for json in [
            r#"{"sub": "a", "sub": "b"}"#,
            r#"{"sub": "a", "s\u0075b": "b"}"#,
            r#"{"x": [{"a": 1, "a": 1}]}"#,
            "[]",
            "7",
            r#"{"a": 1} {}"#,
        ] {
            assert_eq!(object(json.as_bytes()), None, "{json}");
        }
        assert_eq!(object("[".repeat(100_000).as_bytes()), None);
    }
}
