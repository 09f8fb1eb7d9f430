//! A column that may be asked for, and what it holds. The parser types values by it, the store compares
//! by it.
//!
//! The rule: the name is `'static`, so what reaches SQL as a column was written in this crate.

use std::fmt;

/// One column of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// As callers write it, and as the store's table has it.
    pub name: &'static str,
    /// What it holds.
    pub kind: ColumnKind,
    /// Whether a row may have nothing in it.
    pub nullable: bool,
    /// Whether it can be asked for at scale: the store keeps an index that finds its values.
    pub indexed: bool,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text.
    Text,
    /// True or false.
    Bool,
    /// A whole number.
    Integer,
    /// A moment, stored as milliseconds since 1970.
    Time,
    /// JSON; it, or what a path leads to in it, is compared as text.
    Json,
}

impl ColumnKind {
    /// Whether `gt`, `lt`, `ge` and `le` mean something.
    pub fn is_ordered(self) -> bool {
        matches!(self, Self::Integer | Self::Time)
    }

    /// Whether `contains` means something.
    pub fn is_textual(self) -> bool {
        matches!(self, Self::Text | Self::Json)
    }
}

impl fmt::Display for ColumnKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Bool => "true or false",
            Self::Integer => "a whole number",
            Self::Time => "an RFC 3339 time",
            Self::Json => "JSON",
        })
    }
}

impl Column {
    pub(super) const fn text(name: &'static str) -> Self {
        Self::of(name, ColumnKind::Text)
    }

    pub(super) const fn bool(name: &'static str) -> Self {
        Self::of(name, ColumnKind::Bool)
    }

    pub(super) const fn integer(name: &'static str) -> Self {
        Self::of(name, ColumnKind::Integer)
    }

    pub(super) const fn time(name: &'static str) -> Self {
        Self::of(name, ColumnKind::Time)
    }

    pub(super) const fn json(name: &'static str) -> Self {
        Self::of(name, ColumnKind::Json)
    }

    const fn of(name: &'static str, kind: ColumnKind) -> Self {
        Self {
            name,
            kind,
            nullable: false,
            indexed: false,
        }
    }

    pub(super) const fn nullable(self) -> Self {
        Self {
            nullable: true,
            ..self
        }
    }

    pub(super) const fn indexed(self) -> Self {
        Self {
            indexed: true,
            ..self
        }
    }
}
