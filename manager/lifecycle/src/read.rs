//! Reading, the same for every resource: is the caller permitted, and within which scope. What is sealed, credentials
//! and brokers' own words, is read apart, for those who may.

mod binding;
mod list;
mod offering;
mod one;
mod said;

pub use binding::{Opened, binding, bindings};
pub use list::{list, query};
pub use offering::{Offered, offered};
pub use one::one;
pub use qm_policy::condition;
pub use said::said;
