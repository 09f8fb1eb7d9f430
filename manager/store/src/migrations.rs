//! The steps of the schema. Applied under a lock when the store is opened; never edited once released.

use qm_db::Migration;

/// The part's name in the table of applied migrations.
pub const PART: &str = "manager";

/// All steps, in order.
pub static ALL: &[Migration] = &[
    Migration {
        version: 1,
        name: "registry",
        up: include_str!("../migrations/0001_registry/up.sql"),
        down: include_str!("../migrations/0001_registry/down.sql"),
    },
    Migration {
        version: 2,
        name: "refresh token client",
        up: include_str!("../migrations/0002_refresh_token_client/up.sql"),
        down: include_str!("../migrations/0002_refresh_token_client/down.sql"),
    },
    Migration {
        version: 3,
        name: "audit retention",
        up: include_str!("../migrations/0003_audit_retention/up.sql"),
        down: include_str!("../migrations/0003_audit_retention/down.sql"),
    },
    Migration {
        version: 4,
        name: "probe",
        up: include_str!("../migrations/0004_probe/up.sql"),
        down: include_str!("../migrations/0004_probe/down.sql"),
    },
    Migration {
        version: 5,
        name: "people",
        up: include_str!("../migrations/0005_people/up.sql"),
        down: include_str!("../migrations/0005_people/down.sql"),
    },
    Migration {
        version: 6,
        name: "cascade",
        up: include_str!("../migrations/0006_cascade/up.sql"),
        down: include_str!("../migrations/0006_cascade/down.sql"),
    },
];
