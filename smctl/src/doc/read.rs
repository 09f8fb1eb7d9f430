//! Reading JSON and YAML.

use super::Doc;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

impl Doc {
    /// Reads JSON.
    pub(crate) fn parse(json: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(json)
    }
}

impl<'de> Deserialize<'de> for Doc {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DocVisitor)
    }
}

struct DocVisitor;

impl<'de> Visitor<'de> for DocVisitor {
    type Value = Doc;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Doc, E> {
        Ok(Doc::Null)
    }

    fn visit_none<E>(self) -> Result<Doc, E> {
        Ok(Doc::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Doc, D::Error> {
        Doc::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Doc, E> {
        Ok(Doc::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Doc, E> {
        Ok(Doc::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Doc, E> {
        Ok(Doc::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Doc, E> {
        match serde_json::Number::from_f64(value) {
            Some(number) => Ok(Doc::Number(number)),
            None => Err(E::custom("a number must be finite")),
        }
    }

    fn visit_str<E>(self, value: &str) -> Result<Doc, E> {
        Ok(Doc::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Doc, E> {
        Ok(Doc::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Doc, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Doc::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Doc, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Doc::Map(entries))
    }
}
