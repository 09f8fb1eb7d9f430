//! Reading, the same for every resource: is the caller permitted, and within which scope.

mod list;
mod one;

pub use list::{list, query};
pub use one::one;
