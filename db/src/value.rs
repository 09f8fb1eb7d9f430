//! What goes into a statement: owned [`Value`], borrowed [`ValueRef`], and [`Param`] for whatever
//! can be seen as one. Callers hand them to [`Db`](crate::Db) and [`Tx`](crate::Tx).
//!
//! The rule that keeps it right: only what both engines hold alike. Ids and JSON are text, times
//! are integers, and each engine's binding lives in its own folder. Values may be secrets, so
//! their `Debug` prints the kind and never the content.

use std::fmt;

/// One value of a row or of a parameter.
#[derive(Clone, PartialEq, Default)]
pub enum Value {
    /// SQL NULL.
    #[default]
    Null,
    /// Any integer; times are milliseconds since 1970.
    Int(i64),
    /// A truth value; SQLite keeps it as 0 or 1.
    Bool(bool),
    /// A floating-point number.
    Real(f64),
    /// Text, which is also what ids and JSON are.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

/// A [`Value`] that borrows its content.
#[derive(Clone, Copy, PartialEq)]
pub enum ValueRef<'a> {
    /// SQL NULL.
    Null,
    /// Any integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A floating-point number.
    Real(f64),
    /// Text.
    Text(&'a str),
    /// Bytes.
    Blob(&'a [u8]),
}

impl ValueRef<'_> {
    /// The kind in a word, for messages that must not show the content.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Int(_) => "integer",
            Self::Bool(_) => "boolean",
            Self::Real(_) => "real",
            Self::Text(_) => "text",
            Self::Blob(_) => "blob",
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.value().kind())
    }
}

impl fmt::Debug for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())
    }
}

/// Whatever can be a parameter. Implement it for a typed id or a state to bind it directly.
pub trait Param {
    /// What the engine gets to see.
    fn value(&self) -> ValueRef<'_>;
}

impl Param for Value {
    fn value(&self) -> ValueRef<'_> {
        match self {
            Self::Null => ValueRef::Null,
            Self::Int(n) => ValueRef::Int(*n),
            Self::Bool(b) => ValueRef::Bool(*b),
            Self::Real(x) => ValueRef::Real(*x),
            Self::Text(text) => ValueRef::Text(text),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
        }
    }
}

impl Param for ValueRef<'_> {
    fn value(&self) -> ValueRef<'_> {
        *self
    }
}

impl<P: Param + ?Sized> Param for &P {
    fn value(&self) -> ValueRef<'_> {
        (**self).value()
    }
}

impl<P: Param> Param for Option<P> {
    fn value(&self) -> ValueRef<'_> {
        self.as_ref().map_or(ValueRef::Null, Param::value)
    }
}

impl Param for str {
    fn value(&self) -> ValueRef<'_> {
        ValueRef::Text(self)
    }
}

impl Param for [u8] {
    fn value(&self) -> ValueRef<'_> {
        ValueRef::Blob(self)
    }
}

impl<const N: usize> Param for [u8; N] {
    fn value(&self) -> ValueRef<'_> {
        ValueRef::Blob(self)
    }
}

impl Param for String {
    fn value(&self) -> ValueRef<'_> {
        ValueRef::Text(self)
    }
}

impl Param for Vec<u8> {
    fn value(&self) -> ValueRef<'_> {
        ValueRef::Blob(self)
    }
}

/// Copied kinds: how each is seen as a parameter and how it becomes a [`Value`].
macro_rules! plain {
    ($($kind:ty => $variant:ident via $into:ty),* $(,)?) => {$(
        impl Param for $kind {
            fn value(&self) -> ValueRef<'_> {
                ValueRef::$variant(<$into>::from(*self))
            }
        }
        impl From<$kind> for Value {
            fn from(it: $kind) -> Self {
                Self::$variant(<$into>::from(it))
            }
        }
    )*};
}

plain! {
    i64 => Int via i64, i32 => Int via i64, i16 => Int via i64, u32 => Int via i64,
    u16 => Int via i64, u8 => Int via i64, bool => Bool via bool, f64 => Real via f64,
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Blob(bytes)
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Self {
        Self::Blob(bytes.to_vec())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(it: Option<T>) -> Self {
        it.map_or(Self::Null, Into::into)
    }
}

impl From<ValueRef<'_>> for Value {
    fn from(it: ValueRef<'_>) -> Self {
        match it {
            ValueRef::Null => Self::Null,
            ValueRef::Int(n) => Self::Int(n),
            ValueRef::Bool(b) => Self::Bool(b),
            ValueRef::Real(x) => Self::Real(x),
            ValueRef::Text(text) => Self::Text(text.to_owned()),
            ValueRef::Blob(bytes) => Self::Blob(bytes.to_vec()),
        }
    }
}
