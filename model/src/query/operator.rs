//! The operators by their words.

use super::Order;
use std::fmt;

/// An operator as written. Lower case only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Greater, smaller, at least, at most.
    Order(Order),
    /// Equal or without a value.
    En,
    /// Has a text in it.
    Contains,
    /// One of a list.
    In,
    /// None of a list.
    NotIn,
}

impl Operator {
    /// Every operator, in the order in which messages name them.
    pub const ALL: [Self; 10] = [
        Self::Eq,
        Self::Ne,
        Self::Order(Order::Gt),
        Self::Order(Order::Lt),
        Self::Order(Order::Ge),
        Self::Order(Order::Le),
        Self::En,
        Self::Contains,
        Self::In,
        Self::NotIn,
    ];

    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Eq => "eq",
            Self::Ne => "ne",
            Self::Order(Order::Gt) => "gt",
            Self::Order(Order::Lt) => "lt",
            Self::Order(Order::Ge) => "ge",
            Self::Order(Order::Le) => "le",
            Self::En => "en",
            Self::Contains => "contains",
            Self::In => "in",
            Self::NotIn => "notin",
        }
    }

    /// The operator with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|operator| operator.as_str() == word)
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
