//! The query language of lists: `fieldQuery` and `labelQuery`, read into a typed tree. Doors parse what
//! a caller sent; the store turns the tree into SQL with bound parameters only.
//!
//! ```text
//! query     := [ criterion ( "and" criterion )* ]       no text, or spaces alone: no criterion
//! criterion := key ( "in" | "notin" ) "(" [ value ( "," value )* ] ")"
//!            | key ( "eq" | "ne" | "gt" | "lt" | "ge" | "le" | "en" | "contains" ) value
//! key       := one or more characters, none of them white space, control, ( ) ' " ,
//! value     := 'text' | number | true | false | RFC 3339 time
//! text      := any characters but line breaks and NUL; '' is one quote; \ is an ordinary character
//! number    := optional sign, digits, optionally a dot and digits
//! ```
//!
//! Spaces, any number of them, stand between words. What a word means depends on where it stands, so
//! `in`, `true`, `5` and `and` may be keys. In a field's key a `/` starts a path into a JSON column; in a
//! label's key it is a character like any other.
//!
//! The rule that keeps it right: a criterion exists only for a [`Column`] of the table handed in, and its
//! value has that column's type. What is not in the table cannot be asked for, secrets first of all.

mod column;
mod columns;
mod criterion;
mod error;
mod operator;
mod parse;
mod print;
mod time;
mod token;
mod typed;

pub use column::{Column, ColumnKind};
pub use columns::{column, columns};
pub use criterion::{Bound, FieldCriterion, LabelCriterion, LabelTest, Order, Test, Value};
pub use error::{Part, Problem, QueryError};
pub use operator::Operator;

/// Bytes of one query text: as many as a URL can hold. The broker proxies put the ids of all plans of a chunk of brokers
/// into one list.
pub const MAX_TEXT: usize = 64 * 1024;
/// Criteria of one query, fields and labels together.
pub const MAX_CRITERIA: usize = 64;
/// Values of one list: more than fit into a URL when they are ids.
pub const MAX_VALUES: usize = 2_000;

/// What a list is asked for. Every criterion must hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    /// On the resource's own fields. A field may be asked for several times.
    pub fields: Vec<FieldCriterion>,
    /// On its labels; no key twice.
    pub labels: Vec<LabelCriterion>,
}

impl Query {
    /// Reads both texts against the columns that may be asked for.
    pub fn parse(
        columns: &'static [Column],
        field: Option<&str>,
        label: Option<&str>,
    ) -> Result<Self, QueryError> {
        let mut query = Self::default();
        for raw in parse::criteria(Part::Field, field.unwrap_or_default(), MAX_CRITERIA)? {
            query.fields.push(typed::field(columns, raw)?);
        }
        let left = MAX_CRITERIA - query.fields.len();
        for raw in parse::criteria(Part::Label, label.unwrap_or_default(), left)? {
            query.labels.push(typed::label(&query.labels, raw)?);
        }
        Ok(query)
    }

    /// No criterion: everything matches.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.labels.is_empty()
    }
}
