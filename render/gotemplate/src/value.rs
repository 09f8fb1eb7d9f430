//! What templates compute with: Go's values, with the differences that Go programs can see (kinds of
//! numbers, element types, nil beside missing). Functions take and return them.
//!
//! The rule: a value is cheap to clone, and only maps can change after they were made.

mod convert;
mod json;
mod list;
mod map;
mod number;
mod object;
mod release;
mod str;
mod truth;

use std::sync::Arc;

pub use json::Numbers;
pub use list::List;
pub use map::Map;
pub use number::JsonNumber;
pub use object::Object;
pub use str::Str;

use crate::function::Function;
use crate::types::{Kind, Type};

/// A Go value.
#[derive(Clone, Default)]
pub enum Value {
    /// No value at all: a key that is not there. Prints `<no value>`. Never inside a list or map.
    #[default]
    Missing,
    /// An `interface {}` that holds nothing: JSON's `null`.
    Nil,
    /// A nil map, slice, pointer or function of this type.
    NilOf(Arc<Type>),
    /// `bool`
    Bool(bool),
    /// `int`
    Int(i64),
    /// `int8`
    Int8(i8),
    /// `int16`
    Int16(i16),
    /// `int32`
    Int32(i32),
    /// `int64`
    Int64(i64),
    /// `uint`
    Uint(u64),
    /// `uint8`
    Uint8(u8),
    /// `uint16`
    Uint16(u16),
    /// `uint32`
    Uint32(u32),
    /// `uint64`
    Uint64(u64),
    /// `float32`
    Float32(f32),
    /// `float64`
    Float64(f64),
    /// `complex128`: real and imaginary part
    Complex(f64, f64),
    /// `string`
    String(Str),
    /// `[]uint8`
    Bytes(Arc<[u8]>),
    /// A slice.
    List(List),
    /// A map with string keys.
    Map(Map),
    /// A function.
    Func(Arc<Function>),
    /// Anything else, with fields and methods.
    Object(Arc<dyn Object>),
}

impl Value {
    /// A constant text of the program.
    #[must_use]
    pub const fn fixed(text: &'static str) -> Self {
        Self::String(Str::fixed(text))
    }

    /// An object.
    pub fn object(object: impl Object) -> Self {
        Self::Object(Arc::new(object))
    }

    /// Whether this is [`Missing`](Self::Missing) or [`Nil`](Self::Nil): what Go's functions see as
    /// a nil `interface {}`.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Missing | Self::Nil)
    }

    /// Its type, as `%T` prints it; `None` for nothing.
    #[must_use]
    pub fn type_of(&self) -> Option<Type> {
        Some(match self {
            Self::Missing | Self::Nil => return None,
            Self::NilOf(of) => Type::clone(of),
            Self::Bool(_) => Type::Bool,
            Self::Int(_) => Type::Int,
            Self::Int8(_) => Type::Int8,
            Self::Int16(_) => Type::Int16,
            Self::Int32(_) => Type::Int32,
            Self::Int64(_) => Type::Int64,
            Self::Uint(_) => Type::Uint,
            Self::Uint8(_) => Type::Uint8,
            Self::Uint16(_) => Type::Uint16,
            Self::Uint32(_) => Type::Uint32,
            Self::Uint64(_) => Type::Uint64,
            Self::Float32(_) => Type::Float32,
            Self::Float64(_) => Type::Float64,
            Self::Complex(..) => Type::Complex128,
            Self::String(_) => Type::String,
            Self::Bytes(_) => Type::slice(Type::Uint8),
            Self::List(list) => Type::slice(list.element().clone()),
            Self::Map(map) => Type::map(map.element().clone()),
            Self::Func(function) => Type::Func(Arc::new(function.signature().clone())),
            Self::Object(object) => Type::named(object.type_name(), object.kind()),
        })
    }

    /// Its kind, as `kindOf` prints it.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Missing | Self::Nil => Kind::Invalid,
            Self::NilOf(of) => of.kind(),
            Self::Bool(_) => Kind::Bool,
            Self::Int(_) => Kind::Int,
            Self::Int8(_) => Kind::Int8,
            Self::Int16(_) => Kind::Int16,
            Self::Int32(_) => Kind::Int32,
            Self::Int64(_) => Kind::Int64,
            Self::Uint(_) => Kind::Uint,
            Self::Uint8(_) => Kind::Uint8,
            Self::Uint16(_) => Kind::Uint16,
            Self::Uint32(_) => Kind::Uint32,
            Self::Uint64(_) => Kind::Uint64,
            Self::Float32(_) => Kind::Float32,
            Self::Float64(_) => Kind::Float64,
            Self::Complex(..) => Kind::Complex128,
            Self::String(_) => Kind::String,
            Self::Bytes(_) | Self::List(_) => Kind::Slice,
            Self::Map(_) => Kind::Map,
            Self::Func(_) => Kind::Func,
            Self::Object(object) => object.kind(),
        }
    }

    /// A signed integer of any width, also behind a named type.
    #[must_use]
    pub fn as_signed(&self) -> Option<i64> {
        Some(match self {
            Self::Int(n) | Self::Int64(n) => *n,
            Self::Int8(n) => i64::from(*n),
            Self::Int16(n) => i64::from(*n),
            Self::Int32(n) => i64::from(*n),
            Self::Object(object) => object.underlying()?.as_signed()?,
            _ => return None,
        })
    }

    /// An unsigned integer of any width, also behind a named type.
    #[must_use]
    pub fn as_unsigned(&self) -> Option<u64> {
        Some(match self {
            Self::Uint(n) | Self::Uint64(n) => *n,
            Self::Uint8(n) => u64::from(*n),
            Self::Uint16(n) => u64::from(*n),
            Self::Uint32(n) => u64::from(*n),
            Self::Object(object) => object.underlying()?.as_unsigned()?,
            _ => return None,
        })
    }

    /// A float, also behind a named type.
    #[must_use]
    pub fn as_float(&self) -> Option<f64> {
        Some(match self {
            Self::Float64(x) => *x,
            Self::Float32(x) => f64::from(*x),
            Self::Object(object) => object.underlying()?.as_float()?,
            _ => return None,
        })
    }

    /// A plain string.
    #[must_use]
    pub fn as_string(&self) -> Option<&Str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// A plain list.
    #[must_use]
    pub fn as_list(&self) -> Option<&List> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// A plain map.
    #[must_use]
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Self::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The plain value behind a named type; itself when it has no name.
    #[must_use]
    pub fn plain(&self) -> Self {
        match self {
            Self::Object(object) => object.underlying().unwrap_or_else(|| self.clone()),
            _ => self.clone(),
        }
    }

    /// As it is inside a list or map, where nothing is missing.
    #[must_use]
    pub fn stored(self) -> Self {
        match self {
            Self::Missing => Self::Nil,
            value => value,
        }
    }

    /// Roughly the bytes that it holds itself, for limits.
    #[must_use]
    pub fn weight(&self) -> usize {
        match self {
            Self::String(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::List(list) => list.len() * size_of::<Self>(),
            Self::Map(map) => map.len() * 2 * size_of::<Self>(),
            _ => 0,
        }
    }

    pub(crate) fn is_container(&self) -> bool {
        matches!(self, Self::List(_) | Self::Map(_))
    }
}
