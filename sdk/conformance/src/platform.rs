//! The other half of the suite: judges any platform by playing the broker.
//!
//! Called by `smctl verify platform` and by tests. A driver makes the platform act; each case has a scripted broker of
//! its own, which misbehaves as the case wants and notes every call. The rule: a platform is judged by the calls
//! that arrive and by what it says of its own resources, never by how it is built.

mod broker;
mod case;
pub mod cases;
pub mod driver;
mod options;
pub mod rules;
mod run;
mod watch;
mod world;

pub use case::Case;
pub use driver::{Broker, Driver, State, Told, Wish};
pub use options::Options;
pub use run::{RunError, run};
