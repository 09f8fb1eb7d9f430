//! The steps of the schema. Applied under a lock when the store is opened; never edited once released.

use qm_db::Migration;

/// The part's name in the table of applied migrations.
pub const PART: &str = "manager";

/// All steps, in order.
pub static ALL: &[Migration] = &[Migration {
    version: 1,
    name: "registry",
    up: include_str!("../migrations/0001_registry/up.sql"),
    down: include_str!("../migrations/0001_registry/down.sql"),
}];
