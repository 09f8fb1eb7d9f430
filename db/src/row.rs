//! One row of an answer. Both engines fill it; callers take it apart.
//!
//! The rule that keeps it right: a row owns what it holds, so it crosses threads and outlives its
//! transaction, and a wrong index or kind is an error, never a panic.

use std::fmt;

use crate::column::Column;
use crate::error::Error;
use crate::value::{Param, Value};

/// One row of an answer.
#[derive(Clone, PartialEq)]
pub struct Row {
    cells: Vec<Value>,
}

impl Row {
    pub(crate) fn new(cells: Vec<Value>) -> Self {
        Self { cells }
    }

    /// How many columns it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether it has no columns at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Reads the column at `index`, counted from 0.
    ///
    /// # Errors
    /// [`Error::Column`] when there is no such column or it holds something else.
    pub fn get<T: Column>(&self, index: usize) -> Result<T, Error> {
        let Some(cell) = self.cells.get(index) else {
            return Err(Error::Column {
                index,
                wanted: "a column",
                found: "nothing",
            });
        };
        T::read(cell).map_err(|mismatch| Error::Column {
            index,
            wanted: mismatch.wanted,
            found: cell.value().kind(),
        })
    }

    /// Gives all cells away, for a caller that takes the row apart without copies.
    #[must_use]
    pub fn into_values(self) -> Vec<Value> {
        self.cells
    }
}

/// Kinds only: a row may hold secrets.
impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Row").field(&self.cells).finish()
    }
}
