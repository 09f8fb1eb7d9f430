//! Removes a platform, an instance, a binding or all that a tenant has, together with everything that depends on it.
//! Doors call [`begin()`], tasks and the engine [`turn()`].
//!
//! A cascade is a tree of operations. A node waits until what depends on its resource is gone; then its own deletion
//! is sent to the broker by the engine, or, where there is no broker to call, its row goes.
//!
//! ```text
//!   begin            one transaction: the root, cascading
//!   turn             looks for dependants, begins some of them, looks how they do, begins more
//!     child          one dependant: a node of its own, or, when nothing depends on it, its deletion
//!     end            nothing is left: the node's own deletion, or its row
//!     fail           what is left cannot be removed: the node has failed, with all their errors
//! ```
//!
//! The rule: a tree has no memory but the store. What it has begun are operations with its root's id, what is to be done
//! are the rows that are still there; so it may die anywhere, and any replica goes on. Dependants are looked for a few
//! at a time, so that thousands of them keep nobody waiting.

mod begin;
mod child;
mod end;
mod errors;
mod node;
mod progress;
mod rules;
mod settings;
mod turn;

pub use begin::begin;
pub(crate) use rules::tenant_stays;
pub use settings::Settings;
pub use turn::turn;
