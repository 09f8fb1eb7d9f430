//! The kinds of Go's reflection, by the words that `kindOf` prints.

use std::fmt;

/// What sort of type it is, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are Go's and say it all")]
pub enum Kind {
    Invalid,
    Bool,
    Int,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Float32,
    Float64,
    Complex128,
    Array,
    Func,
    Interface,
    Map,
    Ptr,
    Slice,
    String,
    Struct,
}

impl Kind {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Uint => "uint",
            Self::Uint8 => "uint8",
            Self::Uint16 => "uint16",
            Self::Uint32 => "uint32",
            Self::Uint64 => "uint64",
            Self::Float32 => "float32",
            Self::Float64 => "float64",
            Self::Complex128 => "complex128",
            Self::Array => "array",
            Self::Func => "func",
            Self::Interface => "interface",
            Self::Map => "map",
            Self::Ptr => "ptr",
            Self::Slice => "slice",
            Self::String => "string",
            Self::Struct => "struct",
        }
    }

    /// A signed integer of any width.
    #[must_use]
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Self::Int | Self::Int8 | Self::Int16 | Self::Int32 | Self::Int64
        )
    }

    /// An unsigned integer of any width.
    #[must_use]
    pub fn is_unsigned(self) -> bool {
        matches!(
            self,
            Self::Uint | Self::Uint8 | Self::Uint16 | Self::Uint32 | Self::Uint64
        )
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
