//! The typed tree: what the parser makes and the store turns into SQL.
//!
//! The rule: a value has the type of what it is compared with, so the store never guesses.

use super::Column;
use crate::Time;

/// A test of one field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldCriterion {
    /// Of the table that was handed to the parser.
    pub column: &'static Column,
    /// The steps below a JSON column; empty otherwise, and for the column as a whole. Each step is not
    /// empty and holds no quote, parenthesis, comma, white space or control character.
    pub path: Vec<String>,
    /// What must hold.
    pub test: Test,
}

/// What must hold for a field. A field without a value equals nothing and differs from nothing: of all
/// tests only `En` and an empty `NotIn` hold for it.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// Equal.
    Eq(Value),
    /// Different.
    Ne(Value),
    /// Greater or smaller; the value is an integer or a time, as the column is.
    Order(Order, Value),
    /// Equal, or without a value.
    En(Value),
    /// Has this text in it, letter by letter: `%` and `_` mean themselves. Text and JSON columns only.
    Contains(String),
    /// Equal to one of these; none of an empty list.
    In(Vec<Value>),
    /// Equal to none of these; everything passes an empty list.
    NotIn(Vec<Value>),
}

/// A value of a column's type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// For text and JSON columns.
    Text(String),
    /// For Boolean columns.
    Bool(bool),
    /// For integer columns.
    Integer(i64),
    /// For time columns.
    Time(Time),
}

/// A test of the values of one label.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelCriterion {
    /// The label's key.
    pub key: String,
    /// What must hold.
    pub test: LabelTest,
}

/// What must hold for a label, which may have several values or none.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelTest {
    /// Some value equals.
    Eq(String),
    /// No value equals; resources without the label match.
    Ne(String),
    /// Some value is greater or smaller. Values that are no number (no time) never match.
    Order(Order, Bound),
    /// Some value equals, or the label is absent.
    En(String),
    /// Some value has this text in it, letter by letter: `%` and `_` mean themselves.
    Contains(String),
    /// Some value equals one of these; nothing matches an empty list.
    In(Vec<String>),
    /// No value equals any of these; resources without the label match, and all match an empty list.
    NotIn(Vec<String>),
}

/// A direction of comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Greater than.
    Gt,
    /// Less than.
    Lt,
    /// Greater than or equal to.
    Ge,
    /// Less than or equal to.
    Le,
}

/// What the values of a label are ordered against. Labels are text, so the caller's word decides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// A number, never infinite.
    Number(f64),
    /// A time.
    Time(Time),
}
