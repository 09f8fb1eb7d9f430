//! Which columns of each resource may be asked for. Doors hand a table to [`crate::Query::parse`].
//!
//! The rule: a column with a secret in it, or with something a caller may not see, is not here. Usernames,
//! password hashes, keys, catalogs as fetched, sequence numbers and pending values have no row.

use super::Column;
use crate::Kind;

const ID: Column = Column::text("id").indexed();
const NAME: Column = Column::text("name").indexed();
const DESCRIPTION: Column = Column::text("description");
// Nearly every row is ready, so an index on it would find nothing that a page does not.
const READY: Column = Column::bool("ready");
const CREATED_AT: Column = Column::time("created_at").indexed();
const UPDATED_AT: Column = Column::time("updated_at").indexed();
const CATALOG_ID: Column = Column::text("catalog_id").indexed();
const CATALOG_NAME: Column = Column::text("catalog_name").indexed();

static BROKERS: [Column; 7] = [
    ID,
    NAME,
    DESCRIPTION,
    Column::text("broker_url"),
    READY,
    CREATED_AT,
    UPDATED_AT,
];

static PLATFORMS: [Column; 11] = [
    ID,
    NAME,
    Column::text("type").indexed(),
    DESCRIPTION,
    Column::bool("suspended"),
    Column::bool("active"),
    Column::time("last_active").nullable(),
    Column::text("version"),
    READY,
    CREATED_AT,
    UPDATED_AT,
];

static VISIBILITIES: [Column; 6] = [
    ID,
    Column::text("platform_id").nullable().indexed(),
    Column::text("service_plan_id").indexed(),
    READY,
    CREATED_AT,
    UPDATED_AT,
];

static OFFERINGS: [Column; 18] = [
    ID,
    NAME,
    DESCRIPTION,
    Column::bool("bindable"),
    Column::bool("instances_retrievable"),
    Column::bool("bindings_retrievable"),
    Column::bool("plan_updateable"),
    Column::bool("allow_context_updates"),
    Column::json("tags"),
    Column::json("requires"),
    Column::json("metadata"),
    Column::text("broker_id").indexed(),
    CATALOG_ID,
    CATALOG_NAME,
    Column::text("data_center"),
    READY,
    CREATED_AT,
    UPDATED_AT,
];

static PLANS: [Column; 16] = [
    ID,
    NAME,
    DESCRIPTION,
    Column::bool("free"),
    Column::bool("bindable").nullable(),
    Column::bool("plan_updateable").nullable(),
    Column::json("metadata"),
    Column::json("schemas"),
    Column::json("maintenance_info"),
    Column::integer("maximum_polling_duration").nullable(),
    CATALOG_ID,
    CATALOG_NAME,
    Column::text("service_offering_id").indexed(),
    READY,
    CREATED_AT,
    UPDATED_AT,
];

static INSTANCES: [Column; 13] = [
    ID,
    NAME,
    Column::text("service_plan_id").indexed(),
    Column::text("platform_id").indexed(),
    Column::text("dashboard_url"),
    Column::json("maintenance_info"),
    Column::json("context"),
    Column::bool("usable"),
    Column::bool("shared").nullable(),
    Column::text("referenced_instance_id").nullable().indexed(),
    READY,
    CREATED_AT,
    UPDATED_AT,
];

static BINDINGS: [Column; 7] = [
    ID,
    NAME,
    Column::text("service_instance_id").indexed(),
    Column::json("context"),
    READY,
    CREATED_AT,
    UPDATED_AT,
];

static OPERATIONS: [Column; 13] = [
    ID,
    Column::text("type").indexed(),
    Column::text("state").indexed(),
    Column::text("resource_id").indexed(),
    Column::text("resource_type").indexed(),
    Column::text("platform_id").nullable().indexed(),
    Column::text("correlation_id").nullable().indexed(),
    Column::text("parent_id").nullable().indexed(),
    Column::text("cascade_root_id").nullable().indexed(),
    Column::time("deletion_scheduled").nullable(),
    READY,
    CREATED_AT,
    UPDATED_AT,
];

/// The columns of a kind that may be asked for. Kinds that have no list to query have none.
pub fn columns(kind: Kind) -> &'static [Column] {
    match kind {
        Kind::Broker => &BROKERS,
        Kind::Platform => &PLATFORMS,
        Kind::Visibility => &VISIBILITIES,
        Kind::Offering => &OFFERINGS,
        Kind::Plan => &PLANS,
        Kind::Instance => &INSTANCES,
        Kind::Binding => &BINDINGS,
        Kind::Operation => &OPERATIONS,
        Kind::Credential | Kind::User | Kind::Client | Kind::Tenant => &[],
    }
}

/// One column of a kind, for criteria that the manager itself adds.
pub fn column(kind: Kind, name: &str) -> Option<&'static Column> {
    columns(kind).iter().find(|column| column.name == name)
}
