//! The arguments of one call. The getters know that the engine has checked the types: asked for
//! another type than was declared, they give its zero.

use std::borrow::Cow;

use crate::value::{List, Map, Str, Value};

/// Arguments, in order.
#[derive(Debug)]
pub struct Args<'a>(&'a mut [Value]);

static NOTHING: Value = Value::Nil;

impl<'a> Args<'a> {
    pub(crate) fn new(values: &'a mut [Value]) -> Self {
        Self(values)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[Value] {
        self.0
    }

    /// Those from `index` on: the variadic ones.
    #[must_use]
    pub fn rest(&self, index: usize) -> &[Value] {
        self.0.get(index..).unwrap_or_default()
    }

    /// Argument `index`; nil when there is none.
    #[must_use]
    pub fn get(&self, index: usize) -> &Value {
        self.0.get(index).unwrap_or(&NOTHING)
    }

    /// Argument `index`, moved out of the list.
    pub fn take(&mut self, index: usize) -> Value {
        self.0
            .get_mut(index)
            .map_or(Value::Nil, |value| std::mem::replace(value, Value::Nil))
    }

    /// A `string`, as Go holds it.
    #[must_use]
    pub fn str(&self, index: usize) -> &Str {
        static EMPTY: Str = Str::EMPTY;
        self.get(index).as_string().unwrap_or(&EMPTY)
    }

    /// A `string` as text; bytes that are no UTF-8 become U+FFFD.
    #[must_use]
    pub fn text(&self, index: usize) -> Cow<'_, str> {
        self.str(index).to_text()
    }

    /// An integer of any width, signed or not.
    #[must_use]
    #[allow(clippy::cast_possible_wrap, reason = "Go converts in the same way")]
    pub fn int(&self, index: usize) -> i64 {
        let value = self.get(index);
        value
            .as_signed()
            .or_else(|| value.as_unsigned().map(|n| n as i64))
            .unwrap_or(0)
    }

    /// A float.
    #[must_use]
    pub fn float(&self, index: usize) -> f64 {
        self.get(index).as_float().unwrap_or(0.0)
    }

    /// A `bool`.
    #[must_use]
    pub fn bool(&self, index: usize) -> bool {
        matches!(self.get(index), Value::Bool(true))
    }

    /// A map; a nil map is an empty one that nobody else sees.
    #[must_use]
    pub fn map(&self, index: usize) -> Map {
        self.get(index).as_map().cloned().unwrap_or_default()
    }

    /// A list; a nil list is an empty one.
    #[must_use]
    pub fn list(&self, index: usize) -> List {
        let list = self.get(index).as_list().cloned();
        list.unwrap_or_else(|| List::new(Vec::new()))
    }
}
