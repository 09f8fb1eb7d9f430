//! TLS towards brokers and issuers: whom we trust, what we show, and what went wrong.
//!
//! The rule: the cryptography is named here and nothing is installed for the process; trust is the same for
//! all, and what is shown belongs to one broker.

mod explain;
mod identity;
mod trust;
mod unchecked;

pub(crate) use explain::explain;
pub use identity::{Identity, check_identity};
pub(crate) use identity::{certificates, certified};
pub(crate) use trust::Trust;
