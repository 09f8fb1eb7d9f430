//! What a column can be read as. [`Row::get`](crate::Row::get) calls it.
//!
//! The rule that keeps it right: a column is read as what it is or not at all. The one bridge is
//! the truth value, which SQLite keeps as 0 or 1, and a whole number read as a real one.

use crate::value::Value;

/// A cell was not of the kind that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch {
    /// What the caller asked for.
    pub wanted: &'static str,
}

/// A type that a column can be read as. Implement it for a typed id or a state by reading the
/// plain type and converting.
pub trait Column: Sized {
    /// Takes the cell's content.
    ///
    /// # Errors
    /// [`Mismatch`] when the cell holds something else.
    fn read(cell: &Value) -> Result<Self, Mismatch>;
}

impl Column for Value {
    fn read(cell: &Value) -> Result<Self, Mismatch> {
        Ok(cell.clone())
    }
}

impl Column for i64 {
    fn read(cell: &Value) -> Result<Self, Mismatch> {
        match cell {
            Value::Int(n) => Ok(*n),
            _ => Err(Mismatch { wanted: "integer" }),
        }
    }
}

impl Column for bool {
    fn read(cell: &Value) -> Result<Self, Mismatch> {
        match cell {
            Value::Bool(b) => Ok(*b),
            Value::Int(0) => Ok(false),
            Value::Int(1) => Ok(true),
            _ => Err(Mismatch { wanted: "boolean" }),
        }
    }
}

impl Column for f64 {
    #[expect(clippy::cast_precision_loss, reason = "asked for as a real number")]
    fn read(cell: &Value) -> Result<Self, Mismatch> {
        match cell {
            Value::Real(x) => Ok(*x),
            Value::Int(n) => Ok(*n as Self),
            _ => Err(Mismatch { wanted: "real" }),
        }
    }
}

impl Column for String {
    fn read(cell: &Value) -> Result<Self, Mismatch> {
        match cell {
            Value::Text(text) => Ok(text.clone()),
            _ => Err(Mismatch { wanted: "text" }),
        }
    }
}

impl Column for Vec<u8> {
    fn read(cell: &Value) -> Result<Self, Mismatch> {
        match cell {
            Value::Blob(bytes) => Ok(bytes.clone()),
            _ => Err(Mismatch { wanted: "blob" }),
        }
    }
}

impl<T: Column> Column for Option<T> {
    fn read(cell: &Value) -> Result<Self, Mismatch> {
        match cell {
            Value::Null => Ok(None),
            other => T::read(other).map(Some),
        }
    }
}

/// Integers narrower than the stored one: out of range is a mismatch, never a wrong number.
macro_rules! narrow {
    ($($kind:ty),*) => {$(
        impl Column for $kind {
            fn read(cell: &Value) -> Result<Self, Mismatch> {
                let wanted = Mismatch { wanted: stringify!($kind) };
                i64::read(cell).and_then(|n| Self::try_from(n).map_err(|_| wanted))
            }
        }
    )*};
}

narrow!(i32, u32, u16, u64, usize);
