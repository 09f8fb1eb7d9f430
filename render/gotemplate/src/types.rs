//! Go's types, as far as templates can see them: in `%T`, in error texts, and in what a function's
//! parameter accepts. The names printed here are those of Go's reflection.

mod assign;
mod kind;

use std::fmt;
use std::sync::Arc;

pub(crate) use assign::can_be_nil;
pub use kind::Kind;

use crate::function::Signature;

/// A Go type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// `interface {}`: as a parameter it takes everything, and nothing as nil.
    Any,
    /// `reflect.Value`, as a parameter only: like [`Any`](Self::Any), but missing and nil arrive
    /// as they are.
    Reflect,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `int8`
    Int8,
    /// `int16`
    Int16,
    /// `int32`
    Int32,
    /// `int64`
    Int64,
    /// `uint`
    Uint,
    /// `uint8`
    Uint8,
    /// `uint16`
    Uint16,
    /// `uint32`
    Uint32,
    /// `uint64`
    Uint64,
    /// `float32`
    Float32,
    /// `float64`
    Float64,
    /// `complex128`
    Complex128,
    /// `string`
    String,
    /// `[]T`
    Slice(Arc<Type>),
    /// `map[string]T`
    Map(Arc<Type>),
    /// A function.
    Func(Arc<Signature>),
    /// A type with a name, or a pointer to one, as `%T` prints it.
    Named(Arc<str>, Kind),
}

impl Type {
    /// `[]element`
    #[must_use]
    pub fn slice(element: Self) -> Self {
        Self::Slice(Arc::new(element))
    }

    /// `map[string]element`
    #[must_use]
    pub fn map(element: Self) -> Self {
        Self::Map(Arc::new(element))
    }

    /// `[]interface {}`
    #[must_use]
    pub fn list() -> Self {
        Self::slice(Self::Any)
    }

    /// `[]string`
    #[must_use]
    pub fn strings() -> Self {
        Self::slice(Self::String)
    }

    /// `map[string]interface {}`
    #[must_use]
    pub fn dict() -> Self {
        Self::map(Self::Any)
    }

    /// A type with a name.
    pub fn named(name: impl AsRef<str>, kind: Kind) -> Self {
        Self::Named(name.as_ref().into(), kind)
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Any => Kind::Interface,
            Self::Reflect => Kind::Struct,
            Self::Bool => Kind::Bool,
            Self::Int => Kind::Int,
            Self::Int8 => Kind::Int8,
            Self::Int16 => Kind::Int16,
            Self::Int32 => Kind::Int32,
            Self::Int64 => Kind::Int64,
            Self::Uint => Kind::Uint,
            Self::Uint8 => Kind::Uint8,
            Self::Uint16 => Kind::Uint16,
            Self::Uint32 => Kind::Uint32,
            Self::Uint64 => Kind::Uint64,
            Self::Float32 => Kind::Float32,
            Self::Float64 => Kind::Float64,
            Self::Complex128 => Kind::Complex128,
            Self::String => Kind::String,
            Self::Slice(_) => Kind::Slice,
            Self::Map(_) => Kind::Map,
            Self::Func(_) => Kind::Func,
            Self::Named(_, kind) => *kind,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("interface {}"),
            Self::Reflect => f.write_str("reflect.Value"),
            Self::Slice(element) => write!(f, "[]{element}"),
            Self::Map(element) => write!(f, "map[string]{element}"),
            Self::Func(signature) => signature.fmt(f),
            Self::Named(name, _) => f.write_str(name),
            basic => basic.kind().fmt(f),
        }
    }
}
