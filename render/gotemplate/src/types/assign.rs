//! What a parameter of a type accepts: Go's assignability, and the zero that nothing becomes. Calls
//! of functions and methods ask here.

use std::sync::Arc;

use super::{Kind, Type};
use crate::value::Value;

/// Whether an untyped nil can be given where this type is wanted.
pub(crate) fn can_be_nil(wanted: &Type) -> bool {
    matches!(wanted, Type::Reflect)
        || matches!(
            wanted.kind(),
            Kind::Func | Kind::Interface | Kind::Map | Kind::Ptr | Kind::Slice
        )
}

impl Type {
    /// The zero value of this type; for what can be nil, that nil.
    #[must_use]
    pub fn zero(&self) -> Value {
        match self {
            Self::Any => Value::Nil,
            Self::Reflect => Value::Missing,
            Self::Bool => Value::Bool(false),
            Self::Int => Value::Int(0),
            Self::Int8 => Value::Int8(0),
            Self::Int16 => Value::Int16(0),
            Self::Int32 => Value::Int32(0),
            Self::Int64 => Value::Int64(0),
            Self::Uint => Value::Uint(0),
            Self::Uint8 => Value::Uint8(0),
            Self::Uint16 => Value::Uint16(0),
            Self::Uint32 => Value::Uint32(0),
            Self::Uint64 => Value::Uint64(0),
            Self::Float32 => Value::Float32(0.0),
            Self::Float64 => Value::Float64(0.0),
            Self::Complex128 => Value::Complex(0.0, 0.0),
            Self::String => Value::fixed(""),
            Self::Slice(_) | Self::Map(_) | Self::Func(_) | Self::Named(..) => {
                Value::NilOf(Arc::new(self.clone()))
            }
        }
    }

    /// The value as this type, or the value back when Go would refuse it. Nothing is no value here.
    ///
    /// # Errors
    /// The value itself, when it cannot be assigned.
    pub fn assign(&self, value: Value) -> Result<Value, Value> {
        let fits = match (self, &value) {
            (Self::Any | Self::Reflect, _)
            | (Self::String, Value::String(_))
            | (Self::Bool, Value::Bool(_))
            | (Self::Int, Value::Int(_))
            | (Self::Int64, Value::Int64(_))
            | (Self::Float64, Value::Float64(_)) => true,
            (_, Value::Missing | Value::Nil) => false,
            // A named map is taken for a plain one, a named string for a string is not.
            (Self::Slice(_) | Self::Map(_), Value::Object(object)) => {
                return match object.underlying() {
                    Some(plain) if plain.type_of().as_ref() == Some(self) => Ok(plain),
                    _ => Err(value),
                };
            }
            (Self::Map(element), Value::Map(map)) => map.element() == &**element,
            (Self::Slice(element), Value::List(list)) => list.element() == &**element,
            (wanted, value) => value.type_of().as_ref() == Some(wanted),
        };
        if fits { Ok(value) } else { Err(value) }
    }
}
