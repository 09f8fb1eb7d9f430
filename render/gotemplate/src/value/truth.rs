//! What `if`, `with`, `and`, `or` and `not` hold for true: everything but the zero of its type.

use super::Value;
use crate::types::Kind;

impl Value {
    /// Go's truth.
    #[must_use]
    pub fn is_true(&self) -> bool {
        match self {
            Self::Missing | Self::Nil | Self::NilOf(_) => false,
            Self::Bool(x) => *x,
            Self::Int(n) | Self::Int64(n) => *n != 0,
            Self::Int8(n) => *n != 0,
            Self::Int16(n) => *n != 0,
            Self::Int32(n) => *n != 0,
            Self::Uint(n) | Self::Uint64(n) => *n != 0,
            Self::Uint8(n) => *n != 0,
            Self::Uint16(n) => *n != 0,
            Self::Uint32(n) => *n != 0,
            Self::Float32(x) => *x != 0.0,
            Self::Float64(x) => *x != 0.0,
            Self::Complex(re, im) => *re != 0.0 || *im != 0.0,
            Self::String(text) => !text.is_empty(),
            Self::Bytes(bytes) => !bytes.is_empty(),
            Self::List(list) => !list.is_empty(),
            Self::Map(map) => !map.is_empty(),
            Self::Func(_) => true,
            Self::Object(object) => match object.kind() {
                Kind::Struct | Kind::Ptr | Kind::Func => true,
                _ => object.underlying().is_none_or(|value| value.is_true()),
            },
        }
    }
}
