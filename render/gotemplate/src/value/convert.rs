//! From Rust's values to Go's, so that functions can end with `.into()`.

use std::fmt;
use std::sync::Arc;

use super::{List, Map, Object, Str, Value};
use crate::function::Function;

macro_rules! from {
    ($($source:ty => $variant:ident),* $(,)?) => {
        $(impl From<$source> for Value {
            fn from(value: $source) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}

from! {
    bool => Bool,
    i8 => Int8,
    i16 => Int16,
    i32 => Int32,
    u8 => Uint8,
    u16 => Uint16,
    u32 => Uint32,
    u64 => Uint64,
    f32 => Float32,
    f64 => Float64,
    &str => String,
    String => String,
    Str => String,
    Arc<str> => String,
    List => List,
    Map => Map,
    Arc<Function> => Func,
}

// `int` is what Go programs use, so it gets Rust's ordinary large integer; `int64` is named.
impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Self::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<Vec<Self>> for Value {
    fn from(items: Vec<Self>) -> Self {
        Self::List(List::new(items))
    }
}

impl<T: Object> From<Arc<T>> for Value {
    fn from(object: Arc<T>) -> Self {
        Self::Object(object)
    }
}

// Containers tell only their size: a map may hold itself.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("missing"),
            Self::Nil => f.write_str("nil"),
            Self::NilOf(of) => write!(f, "{of}(nil)"),
            Self::Bool(x) => write!(f, "{x}"),
            Self::Float32(x) => write!(f, "float32({x})"),
            Self::Float64(x) => write!(f, "float64({x})"),
            Self::Complex(re, im) => write!(f, "complex128({re}, {im})"),
            Self::String(text) => write!(f, "{text:?}"),
            Self::Bytes(bytes) => write!(f, "[]uint8(len {})", bytes.len()),
            Self::List(list) => write!(f, "{list:?}"),
            Self::Map(map) => write!(f, "{map:?}"),
            Self::Func(function) => write!(f, "{}", function.signature()),
            Self::Object(object) => f.write_str(&object.type_name()),
            number => match (number.as_signed(), number.as_unsigned()) {
                (Some(n), _) => write!(f, "{}({n})", number.kind()),
                (_, Some(n)) => write!(f, "{}({n})", number.kind()),
                _ => f.write_str("?"),
            },
        }
    }
}
