//! The nouns: where each collection is, and what its table looks like.
//!
//! The rule: a table names things by their names; ids are for `-o wide` and for programs.

use super::names::{Names, Need};
use crate::compat::{labels, last};
use crate::doc::Doc;
use qm_manager_api as api;
use std::fmt::Debug;

/// A noun of the command line.
pub(crate) trait Noun: Debug + Clone + Send + Sync + 'static {
    const KIND: &'static Kind;
}

/// What is known of a noun.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) noun: &'static str,
    pub(crate) plural: &'static str,
    /// The path of its collection.
    pub(crate) path: &'static str,
    /// What can be asked for by name; `None`: the collection takes no queries and is searched here.
    pub(crate) by_name: Option<&'static str>,
    /// Whose names its table shows.
    pub(crate) needs: &'static [Need],
    pub(crate) columns: &'static [Column],
}

/// A column.
pub(crate) struct Column {
    pub(crate) head: &'static str,
    /// Only with `-o wide`.
    pub(crate) wide: bool,
    pub(crate) cell: fn(&Doc, &Names) -> String,
}

impl Debug for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.head)
    }
}

const fn column(head: &'static str, cell: fn(&Doc, &Names) -> String) -> Column {
    Column {
        head,
        wide: false,
        cell,
    }
}

const fn wide(head: &'static str, cell: fn(&Doc, &Names) -> String) -> Column {
    Column {
        head,
        wide: true,
        cell,
    }
}

const NAME: Column = column("NAME", |doc, _| doc.get("name").plain());
const DESCRIPTION: Column = column("DESCRIPTION", |doc, _| doc.get("description").plain());
const ID: Column = wide("ID", |doc, _| doc.get("id").plain());
const LABELS: Column = wide("LABELS", |doc, _| labels(doc.get("labels")));
const READY: Column = column("READY", |doc, _| yes(doc.is("ready")));
const AGE: Column = column("CREATED", |doc, _| short_time(doc.str("created_at")));

macro_rules! noun {
    ($type:ident, $kind:expr) => {
        #[derive(Debug, Clone, Copy, Default)]
        pub(crate) struct $type;

        impl Noun for $type {
            const KIND: &'static Kind = &$kind;
        }
    };
}

noun!(
    Broker,
    Kind {
        noun: "broker",
        plural: "brokers",
        path: api::broker::PATH,
        by_name: Some("name"),
        needs: &[],
        columns: &[
            NAME,
            column("URL", |doc, _| doc.get("broker_url").plain()),
            READY,
            column("CATALOG", |doc, _| catalog(doc.get("catalog"))),
            AGE,
            DESCRIPTION,
            ID,
            LABELS,
        ],
    }
);

noun!(
    Platform,
    Kind {
        noun: "platform",
        plural: "platforms",
        path: api::platform::PATH,
        by_name: Some("name"),
        needs: &[],
        columns: &[
            NAME,
            column("TYPE", |doc, _| doc.get("type").plain()),
            column("STATE", |doc, _| {
                let word = match (doc.is("suspended"), doc.is("technical")) {
                    (true, _) => "suspended",
                    (_, true) => "technical",
                    _ => "active",
                };
                word.to_owned()
            }),
            AGE,
            DESCRIPTION,
            ID,
            LABELS,
        ],
    }
);

noun!(
    Visibility,
    Kind {
        noun: "visibility",
        plural: "visibilities",
        path: api::visibility::PATH,
        by_name: Some("id"),
        needs: &[Need::Plans, Need::Platforms],
        columns: &[
            column("ID", |doc, _| doc.get("id").plain()),
            column("PLAN", |doc, names| names.plan(doc.str("service_plan_id"))),
            column("PLATFORM", |doc, names| match doc.str("platform_id") {
                "" => "(all)".to_owned(),
                id => names.platform(id),
            }),
            column("LABELS", |doc, _| labels(doc.get("labels"))),
            wide("PLAN ID", |doc, _| doc.get("service_plan_id").plain()),
            wide("PLATFORM ID", |doc, _| doc.get("platform_id").plain()),
        ],
    }
);

noun!(
    Offering,
    Kind {
        noun: "offering",
        plural: "offerings",
        path: api::offering::PATH,
        by_name: Some("name"),
        needs: &[Need::Brokers],
        columns: &[
            NAME,
            column("BROKER", |doc, names| names.broker(doc.str("broker_id"))),
            column("BINDABLE", |doc, _| yes(doc.is("bindable"))),
            DESCRIPTION,
            ID,
            wide("TAGS", |doc, _| {
                let tags = doc.get("tags").items().iter().map(Doc::as_str);
                tags.collect::<Vec<_>>().join(",")
            }),
            LABELS,
        ],
    }
);

noun!(
    Plan,
    Kind {
        noun: "plan",
        plural: "plans",
        path: api::plan::PATH,
        by_name: Some("name"),
        needs: &[Need::Offerings],
        columns: &[
            column("OFFERING", |doc, names| names
                .offering(doc.str("service_offering_id"))),
            NAME,
            column("FREE", |doc, _| yes(doc.is("free"))),
            column("SHAREABLE", |doc, _| yes(doc
                .get("metadata")
                .is("supportsInstanceSharing"))),
            DESCRIPTION,
            ID,
            LABELS,
        ],
    }
);

noun!(
    Instance,
    Kind {
        noun: "instance",
        plural: "instances",
        path: api::instance::PATH,
        by_name: Some("name"),
        needs: &[Need::Plans, Need::Platforms],
        columns: &[
            NAME,
            column("PLAN", |doc, names| names.plan(doc.str("service_plan_id"))),
            column("STATE", |doc, _| state(doc)),
            column("PLATFORM", |doc, names| names
                .platform(doc.str("platform_id"))),
            AGE,
            wide("SHARED", |doc, _| yes(doc.is("shared"))),
            wide("LAST OPERATION", |doc, _| last(doc.get("last_operation"))),
            ID,
            LABELS,
        ],
    }
);

noun!(
    Binding,
    Kind {
        noun: "binding",
        plural: "bindings",
        path: api::binding::PATH,
        by_name: Some("name"),
        needs: &[Need::Instances],
        columns: &[
            NAME,
            column("INSTANCE", |doc, names| names
                .instance(doc.str("service_instance_id"))),
            READY,
            AGE,
            wide("LAST OPERATION", |doc, _| last(doc.get("last_operation"))),
            ID,
            LABELS,
        ],
    }
);

noun!(
    Operation,
    Kind {
        noun: "operation",
        plural: "operations",
        path: api::operation::PATH,
        by_name: Some("id"),
        needs: &[],
        columns: &[
            column("ID", |doc, _| doc.get("id").plain()),
            column("TYPE", |doc, _| doc.get("type").plain()),
            column("STATE", |doc, _| doc.get("state").plain()),
            column("RESOURCE", |doc, _| {
                let kind = doc.str("resource_type").trim_start_matches("/v1/");
                format!("{kind}/{}", doc.str("resource_id"))
            }),
            column("STARTED", |doc, _| short_time(doc.str("created_at"))),
            column("DESCRIPTION", |doc, _| match doc.str("last_error") {
                "" => doc.get("description").plain(),
                error => error.to_owned(),
            }),
            wide("CORRELATION", |doc, _| doc.get("correlation_id").plain()),
        ],
    }
);

noun!(
    User,
    Kind {
        noun: "user",
        plural: "users",
        path: api::user::PATH,
        by_name: None,
        needs: &[],
        columns: &[
            NAME,
            column("ROLES", |doc, _| words(doc.get("roles"))),
            column("TENANT", |doc, _| doc.get("tenant").plain()),
            AGE,
            ID
        ],
    }
);

noun!(
    Program,
    Kind {
        noun: "client",
        plural: "clients",
        path: api::client::PATH,
        by_name: None,
        needs: &[],
        columns: &[
            column("ID", |doc, _| doc.get("id").plain()),
            column("ROLES", |doc, _| words(doc.get("roles"))),
            column("TENANT", |doc, _| doc.get("tenant").plain()),
            AGE,
            DESCRIPTION,
        ],
    }
);

noun!(
    Audit,
    Kind {
        noun: "audit",
        plural: "audit records",
        path: api::audit::PATH,
        by_name: None,
        needs: &[],
        columns: &[
            column("TIME", |doc, _| short_time(doc.str("at"))),
            column("WHO", |doc, _| doc.get("actor").str("name").to_owned()),
            column("ACTION", |doc, _| doc.get("action").plain()),
            column("RESOURCE", |doc, _| {
                let kind = doc.str("resource_type").trim_start_matches("/v1/");
                format!("{kind}/{}", doc.str("resource_id"))
            }),
            column("OUTCOME", |doc, _| doc.get("outcome").plain()),
            column("DETAIL", |doc, _| doc.get("detail").plain()),
            wide("FROM", |doc, _| doc.get("remote").plain()),
            wide("CORRELATION", |doc, _| doc.get("correlation_id").plain()),
        ],
    }
);

noun!(
    Grant,
    Kind {
        noun: "grant",
        plural: "grants",
        path: "",
        by_name: None,
        needs: &[Need::Platforms],
        columns: &[
            column("ID", |doc, _| doc.get("id").plain()),
            column("TENANT", |doc, _| doc.get("tenant").plain()),
            column("PLATFORM", |doc, names| names
                .platform(doc.str("platform_id"))),
            column("BY", |doc, _| doc.get("granted_by").plain()),
            AGE,
        ],
    }
);

fn yes(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

fn words(list: &Doc) -> String {
    list.items()
        .iter()
        .map(Doc::as_str)
        .collect::<Vec<_>>()
        .join(",")
}

/// `2026-11-16 10:30:00` of a timestamp.
pub(crate) fn short_time(at: &str) -> String {
    at.get(..19).unwrap_or(at).replace('T', " ")
}

fn catalog(state: &Doc) -> String {
    if !state.get("held").is_null() {
        "change held".to_owned()
    } else if !state.str("error").is_empty() {
        "cannot be fetched".to_owned()
    } else if state.is_null() {
        String::new()
    } else {
        "fresh".to_owned()
    }
}

/// How an instance does, also at a manager that does not say so itself.
pub(crate) fn state(doc: &Doc) -> String {
    let said = doc.str("state");
    if !said.is_empty() {
        return said.to_owned();
    }
    let operation = doc.get("last_operation");
    match operation.str("state") {
        "" | "succeeded" if doc.is("ready") => "ready".to_owned(),
        "" | "succeeded" => "not ready".to_owned(),
        state => format!("{} {state}", operation.str("type")),
    }
}
