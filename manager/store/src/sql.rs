//! Puts statements together whose shape depends on what was asked. [`resource`](crate::resource) and
//! [`count`](crate::count) call it.
//!
//! The rule: a text is made of words written in this crate and of `$n`; whatever a caller sent is bound.
//! Lists of any length are one parameter (JSON), so that the number of different texts stays small: each is
//! prepared once per connection.

mod field;
mod json;
mod label;
#[cfg(test)]
mod plans;
mod select;
mod start;

use field::condition as field;
pub(crate) use label::condition as label;
pub(crate) use select::{Select, Shape};

use qm_db::{Dialect, Param, Value};

/// The parameters of a statement under construction.
pub(crate) struct Binds {
    pub(crate) dialect: Dialect,
    values: Vec<Value>,
}

impl Binds {
    pub(crate) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            values: Vec::new(),
        }
    }

    /// Takes a value and gives the word that stands for it.
    pub(crate) fn bind(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("${}", self.values.len())
    }

    /// What the statement is run with.
    pub(crate) fn params(&self) -> Vec<&dyn Param> {
        self.values
            .iter()
            .map(|value| value as &dyn Param)
            .collect()
    }
}

#[cfg(test)]
impl Binds {
    /// What was bound, in order.
    pub(crate) fn into_values(self) -> Vec<Value> {
        self.values
    }
}

/// A subquery that has one row for each element of a JSON array of texts, bound as `param`.
pub(crate) fn elements(dialect: Dialect, param: &str) -> String {
    elements_as(dialect, param, "text")
}

/// The same for elements of another type. SQLite knows the type by the element itself.
fn elements_as(dialect: Dialect, param: &str, kind: &str) -> String {
    match dialect {
        Dialect::Sqlite => format!("SELECT e.value AS element FROM json_each({param}) e"),
        Dialect::Postgres => {
            format!("SELECT e::{kind} AS element FROM jsonb_array_elements_text({param}::jsonb) e")
        }
    }
}

/// Whether `whole` has `part` in it, letter by letter. `LIKE` would need escapes, and on SQLite does not
/// tell capitals from small letters.
fn has(dialect: Dialect, whole: &str, part: &str) -> String {
    match dialect {
        Dialect::Sqlite => format!("instr({whole}, {part}) > 0"),
        Dialect::Postgres => format!("strpos({whole}, {part}) > 0"),
    }
}
