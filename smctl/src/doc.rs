//! A JSON value that keeps the order of its keys. Everything that comes from the manager and everything that is printed
//! is one of these.
//!
//! The rule: what is shown is what was sent, in the order in which it was sent; nothing is dropped because this program
//! does not know it.

mod json;
mod read;
mod write;
mod yaml;

use serde_json::Number;

/// A JSON value.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Doc {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Doc>),
    Map(Vec<(String, Doc)>),
}

static NOTHING: Doc = Doc::Null;

impl Doc {
    /// The value of a key; `Null` when there is none.
    pub(crate) fn get(&self, key: &str) -> &Doc {
        let Self::Map(entries) = self else {
            return &NOTHING;
        };
        let found = entries.iter().find(|(name, _)| name == key);
        found.map_or(&NOTHING, |(_, value)| value)
    }

    /// The value at the end of several keys.
    pub(crate) fn at(&self, keys: &[&str]) -> &Doc {
        keys.iter().fold(self, |doc, key| doc.get(key))
    }

    /// The text of a key; empty when it is no text.
    pub(crate) fn str(&self, key: &str) -> &str {
        self.get(key).as_str()
    }

    /// The text itself; empty when it is none.
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Text(text) => text,
            _ => "",
        }
    }

    /// Whether a key is `true`.
    pub(crate) fn is(&self, key: &str) -> bool {
        *self.get(key) == Self::Bool(true)
    }

    /// The items of a list; none when it is no list.
    pub(crate) fn items(&self) -> &[Doc] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The entries of an object; none when it is no object.
    pub(crate) fn entries(&self) -> &[(String, Doc)] {
        match self {
            Self::Map(entries) => entries,
            _ => &[],
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        *self == Self::Null
    }

    /// Whether it is what Go leaves out: `null`, `false`, and what is empty.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Null | Self::Bool(false) => true,
            Self::Bool(true) => false,
            Self::Number(number) => number.as_f64() == Some(0.0),
            Self::Text(text) => text.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Map(entries) => entries.is_empty(),
        }
    }

    /// Puts a value under a key, in the place of the one there was, or at the end.
    pub(crate) fn set(&mut self, key: &str, value: impl Into<Doc>) {
        if !matches!(self, Self::Map(_)) {
            *self = Self::Map(Vec::new());
        }
        if let Self::Map(entries) = self {
            match entries.iter_mut().find(|(name, _)| name == key) {
                Some((_, old)) => *old = value.into(),
                None => entries.push((key.to_owned(), value.into())),
            }
        }
    }

    /// The same with a key more.
    pub(crate) fn with(mut self, key: &str, value: impl Into<Doc>) -> Self {
        self.set(key, value);
        self
    }

    /// The same with a key more, when there is something to put there.
    pub(crate) fn with_some(self, key: &str, value: Option<impl Into<Doc>>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Takes a key away.
    pub(crate) fn remove(&mut self, key: &str) {
        if let Self::Map(entries) = self {
            entries.retain(|(name, _)| name != key);
        }
    }

    /// The same with the keys of every object in alphabetical order.
    pub(crate) fn sorted(self) -> Self {
        match self {
            Self::List(items) => Self::List(items.into_iter().map(Self::sorted).collect()),
            Self::Map(entries) => {
                let mut entries: Vec<_> = entries
                    .into_iter()
                    .map(|(key, value)| (key, value.sorted()))
                    .collect();
                entries.sort_by(|(a, _), (b, _)| a.cmp(b));
                Self::Map(entries)
            }
            other => other,
        }
    }

    /// As a cell of a table or a value in a shell: text without quotes, the rest as compact JSON, `null` as nothing.
    pub(crate) fn plain(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Text(text) => text.clone(),
            other => other.compact(),
        }
    }

    /// An empty object.
    pub(crate) fn map() -> Self {
        Self::Map(Vec::new())
    }
}

impl From<&str> for Doc {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Doc {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Doc {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<bool> for Doc {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u64> for Doc {
    fn from(value: u64) -> Self {
        Self::Number(value.into())
    }
}

impl From<Vec<Doc>> for Doc {
    fn from(items: Vec<Doc>) -> Self {
        Self::List(items)
    }
}

impl From<&[String]> for Doc {
    fn from(items: &[String]) -> Self {
        Self::List(items.iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Doc;

    #[test]
    fn order_is_kept_and_can_be_given_up() {
        let doc = Doc::parse(br#"{"b":1,"a":{"d":null,"c":[true,"x"]}}"#).unwrap();
        assert_eq!(doc.compact(), r#"{"b":1,"a":{"d":null,"c":[true,"x"]}}"#);
        assert_eq!(
            doc.sorted().compact(),
            r#"{"a":{"c":[true,"x"],"d":null},"b":1}"#
        );
    }

    #[test]
    fn keys_are_set_in_place() {
        let doc = Doc::map().with("a", "1").with("b", true).with("a", "2");
        assert_eq!(doc.compact(), r#"{"a":"2","b":true}"#);
        assert_eq!(doc.at(&["a", "b", "c"]), &Doc::Null);
    }
}
