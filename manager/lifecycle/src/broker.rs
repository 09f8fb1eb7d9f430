//! Deeds about brokers. Each file is one; what they share is here.
//!
//! The rule: one deed at a time per broker. The intent is an operation that is not done, and the store lets
//! only one such row be there for a resource.

mod draft;
pub(crate) mod intent;
mod refresh_catalog;
mod register;
mod remove;
mod resume;
mod settle;
mod update;

pub use draft::{BrokerChange, NewBroker};
pub use refresh_catalog::{Refreshed, refresh_catalog};
pub use register::register;
pub(crate) use remove::take_away;
pub use remove::{remove, remove_many};
pub use resume::resume;
pub use update::update;
