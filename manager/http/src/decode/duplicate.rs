//! Finds a key that an object has twice, at any depth. JSON allows it and readers differ in which one they
//! take, so a body with one is refused.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// Longest path in a message.
const MAX_PATH: usize = 200;

/// The path to a key that is there twice, as in `credentials.basic.username` or `labels[0].key`. `None`
/// for a body without one, and for one that is no JSON: whoever reads it says so better.
pub(super) fn key(body: &[u8]) -> Option<String> {
    let mut found = None;
    let mut reader = serde_json::Deserializer::from_slice(body);
    // The error is our own way of stopping, or the parser's, which the reader will meet again.
    let _ = reader.deserialize_any(Walk {
        path: &Step::Root,
        found: &mut found,
    });
    found
}

/// Where the walk is, linked to where it came from: a path costs nothing until it is printed.
enum Step<'p> {
    Root,
    Key(&'p Step<'p>, &'p str),
    Item(&'p Step<'p>, usize),
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(Self::Root, key) => f.write_str(key),
            Self::Key(above, key) => write!(f, "{above}.{key}"),
            Self::Item(above, at) => write!(f, "{above}[{at}]"),
        }
    }
}

struct Walk<'p, 'f> {
    path: &'p Step<'p>,
    found: &'f mut Option<String>,
}

impl<'de> DeserializeSeed<'de> for Walk<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            let path = Step::Key(self.path, &key);
            if seen.contains(&key) {
                *self.found = Some(path.to_string().chars().take(MAX_PATH).collect());
                return Err(A::Error::custom("a key twice"));
            }
            map.next_value_seed(Walk {
                path: &path,
                found: self.found,
            })?;
            seen.insert(key);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        for at in 0.. {
            let path = Step::Item(self.path, at);
            let item = items.next_element_seed(Walk {
                path: &path,
                found: self.found,
            })?;
            if item.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_twice_is_found_at_any_depth() {
        let cases = [
            (r#"{"a":1,"a":2}"#, "a"),
            (r#"{"a":{"b":[1,{"c":1,"c":2}]}}"#, "a.b[1].c"),
            (r#"[{"a":1},{"a":1,"a":1}]"#, "[1].a"),
            (r#"{"a":1,"\u0061":2}"#, "a"),
            (r#"{"a":null,"b":true,"c":-1.5,"a":"x"}"#, "a"),
        ];
        for (body, path) in cases {
            assert_eq!(key(body.as_bytes()).as_deref(), Some(path), "{body}");
        }
    }

    #[test]
    fn other_bodies_pass() {
        let fine = r#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#;
        for body in [
            fine,
            "null",
            "{}",
            "",
            "{",
            "no json",
            r#"{"a":1} {"a":1,"a":1}"#,
        ] {
            assert_eq!(key(body.as_bytes()), None, "{body}");
        }
    }

    #[test]
    fn depth_is_limited_by_the_parser() {
        let deep = "[".repeat(100_000);
        assert_eq!(key(deep.as_bytes()), None);
    }
}
