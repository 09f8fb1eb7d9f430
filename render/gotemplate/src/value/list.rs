//! Go's slice as templates see it: its elements never change, so a part of a list shares the
//! elements of the whole. The element type is kept because `%T`, `typeOf` and argument checks show it.

use std::fmt;
use std::sync::Arc;

use super::{Value, release};
use crate::types::Type;

/// A list of values; cheap to clone.
#[derive(Clone)]
pub struct List {
    store: Arc<Store>,
    start: u32,
    len: u32,
}

struct Store {
    items: Vec<Value>,
    element: Type,
}

impl Drop for Store {
    fn drop(&mut self) {
        release::values(&mut self.items);
    }
}

impl List {
    /// `[]interface {}`.
    #[must_use]
    pub fn new(items: Vec<Value>) -> Self {
        Self::typed(Type::Any, items)
    }

    /// A list whose elements all have this type; the caller sees to it that they have.
    #[must_use]
    pub fn typed(element: Type, mut items: Vec<Value>) -> Self {
        // More than four thousand million elements are no value that a template can make.
        items.truncate(u32::MAX as usize);
        let len = u32::try_from(items.len()).unwrap_or(u32::MAX);
        Self {
            store: Arc::new(Store { items, element }),
            start: 0,
            len,
        }
    }

    /// `[]string`.
    pub fn strings<S: Into<super::Str>>(items: impl IntoIterator<Item = S>) -> Self {
        let items = items.into_iter().map(|item| Value::String(item.into()));
        Self::typed(Type::String, items.collect())
    }

    /// `[]int`.
    pub fn ints(items: impl IntoIterator<Item = i64>) -> Self {
        Self::typed(Type::Int, items.into_iter().map(Value::Int).collect())
    }

    /// The type of the elements.
    #[must_use]
    pub fn element(&self) -> &Type {
        &self.store.element
    }

    /// The elements.
    #[must_use]
    pub fn as_slice(&self) -> &[Value] {
        let start = self.start as usize;
        &self.store.items[start..start + self.len as usize]
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Element `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Value> {
        self.as_slice().get(index)
    }

    /// All elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Value> {
        self.as_slice().iter()
    }

    /// Up to where `slice` may reach: Go lets a part be widened again to what lies behind it.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.store.items.len() - self.start as usize
    }

    /// `list[start:end]`; `None` when that is outside the capacity.
    #[must_use]
    pub fn slice(&self, start: usize, end: usize) -> Option<Self> {
        if start > end || end > self.capacity() {
            return None;
        }
        Some(Self {
            store: Arc::clone(&self.store),
            start: self.start + u32::try_from(start).ok()?,
            len: u32::try_from(end - start).ok()?,
        })
    }

    /// `list[start:end:limit]`.
    #[must_use]
    pub fn slice_within(&self, start: usize, end: usize, limit: usize) -> Option<Self> {
        if start > end || end > limit || limit > self.capacity() {
            return None;
        }
        let from = self.start as usize;
        let items = self.store.items[from + start..from + limit].to_vec();
        Self::typed(self.store.element.clone(), items).slice(0, end - start)
    }

    /// Whether both are the same elements in memory.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.store, &other.store) && self.start == other.start && self.len == other.len
    }

    /// The elements, when nobody else holds them; for [`release`].
    pub(super) fn into_unshared(self) -> Option<Vec<Value>> {
        Arc::into_inner(self.store).map(|mut store| std::mem::take(&mut store.items))
    }
}

impl<'a> IntoIterator for &'a List {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        Self::new(items.into_iter().collect())
    }
}

impl fmt::Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[]{}(len {})", self.element(), self.len)
    }
}
