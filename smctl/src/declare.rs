//! Declarative files: what should be there, in YAML or JSON. `apply`, `diff`, `delete -f` and `export` use it.
//!
//! The rule: an item is known by its kind and its name; only fields that the file names are compared, so that what others
//! decide stays theirs. Secrets cannot be read back, so they are sent only when something is made, or moved.

mod change;
mod item;
mod look;
mod perform;
mod read;

pub(crate) use change::{Action, Change};
pub(crate) use item::Item;
pub(crate) use look::compare;
pub(crate) use perform::{perform, remove};
pub(crate) use read::read;
