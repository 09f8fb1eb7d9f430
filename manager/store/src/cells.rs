//! Takes a row apart, cell by cell, in the order of the `SELECT`. Every table's `read` uses it.
//!
//! The rule: what is stored was checked when it went in, so a cell of another form is an error that names
//! table and column, never a default.

use crate::Error;
use qm_db::{Column, Row, Value};
use qm_model::{Labels, Meta, Time};
use serde::de::DeserializeOwned;

/// A row that is being taken apart.
pub struct Cells {
    table: &'static str,
    rest: std::vec::IntoIter<Value>,
}

impl Cells {
    pub(crate) fn new(table: &'static str, row: Row) -> Self {
        Self {
            table,
            rest: row.into_values().into_iter(),
        }
    }

    /// The same for a part of a row.
    pub(crate) fn of(table: &'static str, part: Vec<Value>) -> Self {
        Self {
            table,
            rest: part.into_iter(),
        }
    }

    fn wrong(&self, column: &'static str) -> Error {
        Error::Form {
            table: self.table,
            column,
        }
    }

    /// The next cell as a number, a truth value, bytes, or one of these that may be missing.
    pub(crate) fn take<T: Column>(&mut self, column: &'static str) -> Result<T, Error> {
        let cell = self.rest.next().unwrap_or_default();
        T::read(&cell).map_err(|_| self.wrong(column))
    }

    /// The next cell as text, without a copy.
    pub(crate) fn text(&mut self, column: &'static str) -> Result<String, Error> {
        self.text_opt(column)?.ok_or_else(|| self.wrong(column))
    }

    /// The next cell as text that may be missing.
    pub(crate) fn text_opt(&mut self, column: &'static str) -> Result<Option<String>, Error> {
        match self.rest.next() {
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(Value::Null) => Ok(None),
            _ => Err(self.wrong(column)),
        }
    }

    pub(crate) fn time(&mut self, column: &'static str) -> Result<Time, Error> {
        self.take(column).map(Time)
    }

    pub(crate) fn time_opt(&mut self, column: &'static str) -> Result<Option<Time>, Error> {
        Ok(self.take::<Option<i64>>(column)?.map(Time))
    }

    /// The next cell as JSON.
    pub(crate) fn json<T: DeserializeOwned>(&mut self, column: &'static str) -> Result<T, Error> {
        let text = self.text(column)?;
        serde_json::from_str(&text).map_err(|_| self.wrong(column))
    }

    /// The next cell as JSON that may be missing.
    pub(crate) fn json_opt<T: DeserializeOwned>(
        &mut self,
        column: &'static str,
    ) -> Result<Option<T>, Error> {
        match self.text_opt(column)? {
            None => Ok(None),
            Some(text) => serde_json::from_str(&text)
                .map(Some)
                .map_err(|_| self.wrong(column)),
        }
    }

    /// The next cell as a word that stands for something.
    pub(crate) fn word<T>(
        &mut self,
        column: &'static str,
        meaning: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Error> {
        let word = self.text(column)?;
        meaning(&word).ok_or_else(|| self.wrong(column))
    }

    /// `ready, labels, created_at, updated_at`, with which every resource's columns end.
    pub(crate) fn meta(&mut self) -> Result<Meta, Error> {
        let ready = self.take("ready")?;
        let labels = self.text("labels")?;
        let labels: Labels = match labels.as_str() {
            "{}" => Labels::new(),
            text => serde_json::from_str(text).map_err(|_| self.wrong("labels"))?,
        };
        Ok(Meta {
            ready,
            labels,
            created_at: self.time("created_at")?,
            updated_at: self.time("updated_at")?,
        })
    }
}

/// A value as the text of its JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|_| Error::Form {
        table: "a value",
        column: "JSON",
    })
}

/// The same for what may be missing.
pub(crate) fn json_opt(value: Option<&impl serde::Serialize>) -> Result<Option<String>, Error> {
    value.map(json).transpose()
}
