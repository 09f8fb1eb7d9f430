//! The layers of the configuration, laid over each other key by key.
//!
//! Used by [`load`](super::load). The rule: the compiled-in defaults name every key there is and the
//! kind of its value. A layer is held against them before it counts, so that a mistyped key is refused by
//! name; and each key remembers where its value came from.

use super::nearest::nearest;
use super::problem::Problem;
use super::section::Issuer;
use std::collections::BTreeMap;
use std::fmt;
use toml::{Table, Value};

/// The defaults, with every key and its explanation.
pub(crate) const DEFAULTS: &str = include_str!("../../config.default.toml");

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    File(String),
    Variable(String),
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => f.write_str(path),
            Self::Variable(name) => f.write_str(name),
            Self::Flag(name) => f.write_str(name),
        }
    }
}

/// A section and a key.
pub(crate) type Path = (String, String);

/// All layers so far.
#[derive(Debug, Clone)]
pub(crate) struct Layers {
    pub(crate) defaults: Table,
    pub(crate) table: Table,
    origins: BTreeMap<Path, Origin>,
}

impl Layers {
    /// The defaults alone.
    pub(crate) fn new() -> Result<Self, toml::de::Error> {
        let defaults: Table = toml::from_str(DEFAULTS)?;
        Ok(Self {
            table: defaults.clone(),
            defaults,
            origins: BTreeMap::new(),
        })
    }

    /// Every section and key there is.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&str, &str)> {
        self.defaults.iter().flat_map(|(section, keys)| {
            let keys = keys.as_table().into_iter().flatten();
            keys.map(move |(key, _)| (section.as_str(), key.as_str()))
        })
    }

    /// The default of a key, if there is such a key.
    pub(crate) fn default_of(&self, section: &str, key: &str) -> Option<&Value> {
        self.defaults.get(section)?.get(key)
    }

    /// Where a key's value came from.
    pub(crate) fn origin(&self, section: &str, key: &str) -> &Origin {
        self.origins
            .get(&(section.to_owned(), key.to_owned()))
            .unwrap_or(&Origin::Default)
    }

    /// The keys that somebody has set, and who.
    pub(crate) fn set_keys(&self) -> impl Iterator<Item = (&Path, &Origin)> {
        self.origins.iter()
    }

    /// Sets one key that exists; a value of another kind is a problem.
    pub(crate) fn set(
        &mut self,
        section: &str,
        key: &str,
        value: Value,
        origin: Origin,
    ) -> Result<(), Problem> {
        let at = format!("{section}.{key}");
        let Some(default) = self.default_of(section, key) else {
            return Err(unknown_key(self, section, key).from(&origin));
        };
        let value = match (default, value) {
            // 1 is a fine way to write 1.0.
            (Value::Float(_), Value::Integer(whole)) => match i32::try_from(whole) {
                Ok(whole) => Value::Float(whole.into()),
                Err(_) => return Err(Problem::new(at, "the number is too large").from(&origin)),
            },
            (default, value) if default.same_type(&value) => value,
            (default, value) => {
                let what = format!(
                    "{} is needed, such as {default}, and this is {}",
                    kind(default),
                    kind(&value)
                );
                return Err(Problem::new(at, what).from(&origin));
            }
        };
        if let Some(Value::Table(keys)) = self.table.get_mut(section) {
            keys.insert(key.to_owned(), value);
        }
        self.origins
            .insert((section.to_owned(), key.to_owned()), origin);
        Ok(())
    }

    /// Lays a whole file over what is there.
    pub(crate) fn overlay(&mut self, file: Table, origin: &Origin, problems: &mut Vec<Problem>) {
        for (section, keys) in file {
            let Value::Table(keys) = keys else {
                problems.push(stray(self, &section).from(origin));
                continue;
            };
            if !self.defaults.contains_key(&section) {
                problems.push(unknown_section(self, &section).from(origin));
                continue;
            }
            for (key, value) in keys {
                if (section.as_str(), key.as_str()) == ("identity", "issuers") {
                    problems.extend(unknown_in_issuers(&value, origin));
                }
                problems.extend(self.set(&section, &key, value, origin.clone()).err());
            }
        }
    }
}

/// "a text", for messages.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a table",
    }
}

fn unknown_key(layers: &Layers, section: &str, key: &str) -> Problem {
    let keys = layers.paths().filter(|(other, _)| *other == section);
    let what = match nearest(key, keys.map(|(_, key)| key)) {
        Some(near) => format!("there is no such key; did you mean {section}.{near}?"),
        // Right key, wrong section: more common than one thinks.
        None => match layers.paths().find(|(_, other)| *other == key) {
            Some((section, key)) => format!("there is no such key; did you mean {section}.{key}?"),
            None => format!("there is no such key in [{section}]"),
        },
    };
    Problem::new(format!("{section}.{key}"), what)
}

fn unknown_section(layers: &Layers, section: &str) -> Problem {
    let what = match nearest(section, layers.defaults.keys().map(String::as_str)) {
        Some(near) => format!("there is no such section; did you mean [{near}]?"),
        None => "there is no such section".to_owned(),
    };
    Problem::new(format!("[{section}]"), what)
}

/// A key above the first section.
fn stray(layers: &Layers, key: &str) -> Problem {
    let what = match layers.paths().find(|(_, other)| *other == key) {
        Some((section, _)) => format!("it stands outside of a section; did you mean [{section}]?"),
        None => "it stands outside of a section".to_owned(),
    };
    Problem::new(key, what)
}

/// Blocks of issuers have keys of their own.
fn unknown_in_issuers(value: &Value, origin: &Origin) -> Vec<Problem> {
    let Ok(Value::Table(known)) = Value::try_from(Issuer::default()) else {
        return Vec::new();
    };
    let blocks = value.as_array().into_iter().flatten().enumerate();
    blocks
        .flat_map(|(n, block)| {
            let keys = block.as_table().into_iter().flat_map(Table::keys);
            keys.map(move |key| (n + 1, key))
        })
        .filter(|(_, key)| !known.contains_key(*key))
        .map(|(n, key)| {
            let what = match nearest(key, known.keys().map(String::as_str)) {
                Some(near) => format!("there is no such key; did you mean {near}?"),
                None => "there is no such key in an issuer".to_owned(),
            };
            Problem::new(format!("identity.issuers, number {n}, {key}"), what).from(origin)
        })
        .collect()
}
