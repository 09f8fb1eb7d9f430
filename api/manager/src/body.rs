//! Reading a request body.
//!
//! Every door that takes JSON reads it here. The rule: what a person could have meant in two ways is
//! refused, and a fault names the place and never what was found there. So no key may come twice at any
//! depth (serde alone would see only the fields it knows, and takes the last of two keys of a map), and no
//! array may stand for an object (serde alone would read it field by field).

use quartermaster_osb::json;
use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use std::{collections::BTreeSet, fmt};

/// Why bytes are not the body that was expected. Safe to print and to send back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A key comes twice in one object.
    Duplicate {
        /// Where, as in `labels.env`.
        path: String,
    },
    /// Objects and arrays stand in each other more than 128 deep.
    TooDeep,
    /// Anything else.
    Shape(json::Fault),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The words that clients of Peripli's server know.
            Self::Duplicate { path } => write!(f, "invalid json: duplicate key {path}"),
            Self::TooDeep => f.write_str("the body nests more than 128 deep"),
            Self::Shape(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for Fault {}

/// Reads a body.
///
/// # Errors
/// See [`Fault`].
pub fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Fault> {
    if body.trim_ascii_start().first() == Some(&b'[') {
        return Err(Fault::Shape(json::Fault::NotAnObject));
    }
    let mut duplicate = None;
    let scanned = Scan {
        path: "",
        found: &mut duplicate,
    }
    .deserialize(&mut serde_json::Deserializer::from_slice(body));
    if let Some(path) = duplicate {
        return Err(Fault::Duplicate { path });
    }
    let shape = json::read(body).map_err(Fault::Shape)?;
    // serde skips what it does not know at any depth; the scan stops at its limit, and what is below was not
    // looked at.
    scanned.map_err(|_| Fault::TooDeep)?;
    Ok(shape)
}

/// Walks over a value and keeps nothing of it but the keys of the objects it is in.
struct Scan<'a> {
    path: &'a str,
    found: &'a mut Option<String>,
}

impl<'de> DeserializeSeed<'de> for Scan<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Scan<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
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

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let mut index = 0;
        loop {
            let path = format!("{}[{index}]", self.path);
            let scan = Scan {
                path: &path,
                found: &mut *self.found,
            };
            if values.next_element_seed(scan)?.is_none() {
                return Ok(());
            }
            index += 1;
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = fields.next_key::<String>()? {
            let path = if self.path.is_empty() {
                key.clone()
            } else {
                format!("{}.{key}", self.path)
            };
            if !keys.insert(key) {
                *self.found = Some(path);
                return Err(A::Error::custom("duplicate key"));
            }
            fields.next_value_seed(Scan {
                path: &path,
                found: &mut *self.found,
            })?;
        }
        Ok(())
    }
}
