//! Rules for instances that others may refer to, and for what refers to them. The deeds on instances, the doors and
//! the catalogs ask here.
//!
//! | file | decides |
//! |---|---|
//! | `plan` | which plans can be shared, what the generated plan says, which plan an instance may change to |
//! | `consumer` | who may refer to a shared instance: its own tenant, and those it is granted to |
//! | `wanted` | what a reference asks for: an id, the only one there is, or selectors |
//! | `dependants` | what references stand in the way of |
//! | `transfer` | which instance may move to the manager itself |
//!
//! The rule: everything is decided from what is handed in. What a caller may not refer to does not exist for it: 404,
//! in the same words as what is really not there.

mod consumer;
mod dependants;
mod plan;
mod transfer;
mod wanted;

pub use consumer::{Consumer, may_refer, owners};
pub use dependants::{may_delete, may_disable, may_revoke, may_unshare};
pub use plan::{SUPPORTS, generated, is_reference, is_shareable, may_change_plan, may_share};
pub use transfer::may_transfer;
pub use wanted::{Selectors, Wanted, chosen, unchanged, wanted};
