//! A JSON object of any shape, read in one pass, in which no key comes twice at any depth. The OSB doors read bodies
//! with it.
//!
//! The rule: a value is never said, a place always. The place is put together only on the way out of a fault, so
//! that a good body costs no more than serde's own reading.

use crate::Failure;
use quartermaster_osb::Object;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_json::Value;
use serde_json::error::Category;
use std::cell::RefCell;
use std::fmt;

/// Reads an object.
pub(super) fn read(body: &[u8]) -> Result<Object, Failure> {
    let twice = RefCell::new(Vec::new());
    let mut reader = serde_json::Deserializer::from_slice(body);
    let read = Tree { twice: &twice }.deserialize(&mut reader);
    let read = read.and_then(|value| reader.end().map(|()| value));
    match read {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Failure::bad_request("the body must be a JSON object")),
        Err(error) => Err(Failure::bad_request(words(
            body,
            &error,
            &twice.into_inner(),
        ))),
    }
}

#[cold]
fn words(body: &[u8], error: &serde_json::Error, twice: &[Step]) -> String {
    if body.trim_ascii().is_empty() {
        return "the body is empty; it must be a JSON object".to_owned();
    }
    // Data is what `Tree` itself refuses; all else are the parser's own words, which hold no input.
    if error.classify() != Category::Data {
        return format!("invalid json: {error}");
    }
    let mut path = String::new();
    for step in twice.iter().rev() {
        match step {
            Step::Key(key) if path.is_empty() => path.push_str(key),
            Step::Key(key) => {
                path.push('.');
                path.push_str(key);
            }
            Step::Index(index) => path.push_str(&format!("[{index}]")),
        }
    }
    format!("invalid json: duplicate key {path}")
}

/// From the key that came twice towards the root.
enum Step {
    Key(String),
    Index(usize),
}

#[derive(Clone, Copy)]
struct Tree<'t> {
    twice: &'t RefCell<Vec<Step>>,
}

impl Tree<'_> {
    /// Notes a step when something below it came twice.
    fn note(self, step: impl FnOnce() -> Step) {
        let mut twice = self.twice.borrow_mut();
        if !twice.is_empty() {
            twice.push(step());
        }
    }
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        let number = serde_json::Number::from_f64(value);
        let number =
            number.ok_or_else(|| E::invalid_value(Unexpected::Other("a number"), &self))?;
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            match values.next_element_seed(self) {
                Ok(Some(value)) => list.push(value),
                Ok(None) => return Ok(Value::Array(list)),
                Err(error) => {
                    self.note(|| Step::Index(list.len()));
                    return Err(error);
                }
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Object::new();
        while let Some(key) = fields.next_key::<String>()? {
            if object.contains_key(&key) {
                self.twice.borrow_mut().push(Step::Key(key));
                return Err(A::Error::custom("duplicate key"));
            }
            match fields.next_value_seed(self) {
                Ok(value) => object.insert(key, value),
                Err(error) => {
                    self.note(|| Step::Key(key));
                    return Err(error);
                }
            };
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refusal(body: &str) -> String {
        match read(body.as_bytes()) {
            Ok(_) => panic!("{body} was read"),
            Err(failure) => failure.description,
        }
    }

    #[test]
    fn reads_what_serde_reads() {
        let body = r#"{"a":[null,true,-1,1,18446744073709551615,1.5e3,"\u00e4",{"b":{}}]}"#;
        let wanted: Object = serde_json::from_str(body).unwrap();
        assert_eq!(read(body.as_bytes()).unwrap(), wanted);
        let spaced = read(b" {\"a\" : 1}\n").unwrap();
        assert_eq!(Value::Object(spaced), json!({"a": 1}));
    }

    #[test]
    fn a_key_that_comes_twice_is_named_by_its_place() {
        let cases = [
            (r#"{"a":1,"a":2}"#, "a"),
            (r#"{"p":{"x":[0,{"y":1,"y":2}]}}"#, "p.x[1].y"),
            (r#"{"a":{"b":1},"c":{"b":1,"b":2}}"#, "c.b"),
            (r#"{"a":[[{"b":1},{"b":1,"b":2}]]}"#, "a[0][1].b"),
        ];
        for (body, place) in cases {
            let wanted = format!("invalid json: duplicate key {place}");
            assert_eq!(refusal(body), wanted);
        }
    }

    #[test]
    fn what_is_no_object_is_refused_without_its_values() {
        let empty = "the body is empty; it must be a JSON object";
        for body in ["", " \n"] {
            assert_eq!(refusal(body), empty);
        }
        for body in ["[]", "null", "\"hunter2\"", "1"] {
            assert_eq!(refusal(body), "the body must be a JSON object");
        }
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
        let cut = ["{", "{\"a\":\"hunter2", "{\"a\":1} hunter2", "{'a'}", &deep];
        for body in cut {
            let words = refusal(body);
            assert!(words.starts_with("invalid json: "), "{words}");
            assert!(!words.contains("hunter2"), "{words}");
        }
    }
}
