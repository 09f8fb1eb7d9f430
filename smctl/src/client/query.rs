//! Query parameters: in alphabetical order, encoded as forms are.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What Go's `url.QueryEscape` leaves as it is.
const SAFE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b' ');

/// Query parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// One more.
    pub(crate) fn with(mut self, key: &str, value: impl Into<String>) -> Self {
        self.0.push((key.to_owned(), value.into()));
        self
    }

    /// One more, when there is one.
    pub(crate) fn with_some(self, key: &str, value: Option<impl Into<String>>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// `fieldQuery` of several conditions.
    pub(crate) fn fields<T: AsRef<str>>(self, conditions: &[T]) -> Self {
        self.joined("fieldQuery", conditions)
    }

    /// `labelQuery` of several conditions.
    pub(crate) fn labels<T: AsRef<str>>(self, conditions: &[T]) -> Self {
        self.joined("labelQuery", conditions)
    }

    fn joined<T: AsRef<str>>(self, key: &str, conditions: &[T]) -> Self {
        if conditions.is_empty() {
            return self;
        }
        let all: Vec<_> = conditions.iter().map(AsRef::as_ref).collect();
        self.with(key, all.join(" and "))
    }

    /// Whether there is such a parameter.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(name, _)| name == key)
    }

    /// The path with the parameters behind it.
    pub(crate) fn behind(&self, path: &str) -> String {
        if self.0.is_empty() {
            return path.to_owned();
        }
        let mark = if path.contains('?') { '&' } else { '?' };
        format!("{path}{mark}{}", self.encoded())
    }

    /// As a form.
    pub(crate) fn encoded(&self) -> String {
        let mut pairs: Vec<_> = self.0.iter().collect();
        pairs.sort_by(|(a, _), (b, _)| a.cmp(b));
        let one = |(key, value): &(String, String)| format!("{}={}", escape(key), escape(value));
        pairs.into_iter().map(one).collect::<Vec<_>>().join("&")
    }
}

/// As Go's `url.QueryEscape`.
pub(crate) fn escape(text: &str) -> String {
    utf8_percent_encode(text, SAFE)
        .to_string()
        .replace(' ', "+")
}

/// A text as a literal of the query language: in quotes, with quotes inside doubled.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::{Query, quoted};

    #[test]
    fn the_encoding_is_that_of_go() {
        let query = Query::new()
            .with("labelQuery", "a eq 'b c'")
            .fields(&["name eq 'ü'", "ready eq true"])
            .with("async", "false");
        assert_eq!(
            query.behind("/v1/x"),
            "/v1/x?async=false&fieldQuery=name+eq+%27%C3%BC%27+and+ready+eq+true&labelQuery=a+eq+%27b+c%27"
        );
        assert_eq!(quoted("o'hara"), "'o''hara'");
    }
}
