//! A value of the program's own: a Go struct, a pointer to one, or a named type with methods. What a
//! template can do with it is what this trait answers; everything has an answer, so a small object
//! is a few lines.

use std::any::Any;
use std::borrow::Cow;

use super::{Str, Value};
use crate::function::Function;
use crate::types::Kind;

/// Something with fields and methods.
pub trait Object: Any + Send + Sync {
    /// The Go type as `%T` prints it: `time.Time`, `*semver.Version`, `chartutil.Values`.
    fn type_name(&self) -> Cow<'_, str>;

    /// What kind of Go type that is. `Ptr` is a pointer to a struct that is never nil.
    fn kind(&self) -> Kind {
        Kind::Struct
    }

    /// An exported field of the struct.
    fn field(&self, _name: &str) -> Option<Value> {
        None
    }

    /// All fields in the order of their declaration; printing shows them.
    fn fields(&self) -> Vec<(Cow<'_, str>, Value)> {
        Vec::new()
    }

    /// A method, bound to this object.
    fn method(&self, _name: &str) -> Option<Function> {
        None
    }

    /// What its `String` or `Error` method returns, when it has one; it is then printed like that.
    fn text(&self) -> Option<Str> {
        None
    }

    /// The plain value behind a named type that is no struct: a map, list, string or number. Ranging,
    /// indexing, comparing and truth look at it.
    fn underlying(&self) -> Option<Value> {
        None
    }

    /// Whether Go could compare two of these with `==`; a struct that holds a map or a slice cannot.
    fn equals(&self, _other: &dyn Object) -> Option<bool> {
        None
    }
}

impl dyn Object {
    /// The object as the type it was made from.
    #[must_use]
    pub fn downcast_ref<T: Object>(&self) -> Option<&T> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }
}
