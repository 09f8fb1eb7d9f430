//! What the old smctl knows of each resource: its fields in their order, its columns, its titles.
//!
//! The rule: JSON and YAML hold exactly these fields, and those that are false or empty are left out.

use super::table::Table;
use crate::doc::Doc;

/// A resource as the old smctl shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Broker,
    Platform,
    Visibility,
    Offering,
    Plan,
    Instance,
    Binding,
    Operation,
}

impl Shape {
    fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Broker => &[
                "id",
                "name",
                "broker_url",
                "description",
                "created_at",
                "updated_at",
                "credentials",
                "labels",
                "ready",
                "last_operation",
            ],
            Self::Platform => &[
                "id",
                "name",
                "description",
                "type",
                "created_at",
                "updated_at",
                "credentials",
                "labels",
                "ready",
            ],
            Self::Visibility => &[
                "id",
                "platform_id",
                "service_plan_id",
                "created_at",
                "updated_at",
                "labels",
                "ready",
            ],
            Self::Offering => &[
                "id",
                "name",
                "description",
                "created_at",
                "updated_at",
                "bindable",
                "instances_retrievable",
                "bindings_retrievable",
                "allow_context_updates",
                "plan_updateable",
                "catalog_id",
                "catalog_name",
                "tags",
                "requires",
                "metadata",
                "broker_id",
                "broker_name",
                "plans",
                "labels",
                "ready",
            ],
            Self::Plan => &[
                "id",
                "name",
                "description",
                "created_at",
                "updated_at",
                "catalog_id",
                "catalog_name",
                "free",
                "bindable",
                "plan_updateable",
                "metadata",
                "schemas",
                "service_offering_id",
                "labels",
                "ready",
            ],
            Self::Instance => &[
                "id",
                "name",
                "created_at",
                "updated_at",
                "labels",
                "service_id",
                "service_plan_id",
                "platform_id",
                "parameters",
                "maintenance_info",
                "context",
                "ready",
                "usable",
                "shared",
                "last_operation",
            ],
            Self::Binding => &[
                "id",
                "name",
                "created_at",
                "updated_at",
                "labels",
                "credentials",
                "service_instance_id",
                "service_instance_name",
                "syslog_drain_url",
                "route_service_url",
                "context",
                "parameters",
                "ready",
                "last_operation",
            ],
            Self::Operation => &[
                "id",
                "description",
                "type",
                "state",
                "resource_id",
                "resource_type",
                "errors",
                "created_at",
                "updated_at",
                "labels",
            ],
        }
    }

    /// The resource with the fields of the old smctl only.
    pub(crate) fn reduce(self, doc: &Doc) -> Doc {
        let mut reduced = Doc::map();
        for field in self.fields() {
            let value = doc.get(field);
            // Go keeps `false` behind a pointer, and an object that is there but empty.
            let pointer = self == Self::Instance
                && matches!(*field, "ready" | "usable" | "shared")
                && !value.is_null();
            let raw = matches!(value, Doc::Map(_) | Doc::List(_))
                && matches!(
                    *field,
                    "credentials"
                        | "tags"
                        | "requires"
                        | "metadata"
                        | "schemas"
                        | "parameters"
                        | "maintenance_info"
                        | "context"
                        | "errors"
                );
            let always = self == Self::Binding && *field == "service_instance_id";
            if !value.is_empty() || pointer || raw || always {
                let value = match *field {
                    "plans" => Doc::List(
                        value
                            .items()
                            .iter()
                            .map(|plan| Self::Plan.reduce(plan))
                            .collect(),
                    ),
                    "last_operation" => operation(value),
                    _ => value.clone(),
                };
                reduced.set(field, value);
            }
        }
        reduced
    }

    /// The title of a list.
    pub(crate) fn title(self, number: usize) -> String {
        let (one, many) = match self {
            Self::Broker => ("broker", "brokers"),
            Self::Platform => ("platform", "platforms"),
            Self::Visibility => ("visibility", "visibilities"),
            Self::Offering => ("service offering", "service offerings"),
            Self::Plan => ("service plan", "service plans"),
            Self::Instance => ("service instance", "service instances"),
            Self::Binding => ("service binding", "service bindings"),
            Self::Operation => ("operation", "operations"),
        };
        let registered = matches!(self, Self::Broker | Self::Platform | Self::Visibility);
        match (number, registered) {
            (0, true) => format!("No {many} registered."),
            (0, false) => format!("There are no {many}."),
            (1, true) => format!("One {one} registered."),
            (1, false) => format!("One {one}."),
            (n, true) => format!("{n} {many} registered."),
            (n, false) => format!("{n} {many}."),
        }
    }

    /// Under what a list stands in the old smctl's YAML.
    pub(crate) fn old_key(self) -> &'static str {
        match self {
            Self::Broker => "brokers",
            Self::Platform => "platforms",
            _ => "items",
        }
    }

    /// What a resource is called with `-o name`.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Broker => "broker",
            Self::Platform => "platform",
            Self::Visibility => "visibility",
            Self::Offering => "offering",
            Self::Plan => "plan",
            Self::Instance => "instance",
            Self::Binding => "binding",
            Self::Operation => "operation",
        }
    }

    /// The table of one resource.
    pub(crate) fn one(self, doc: &Doc) -> Table {
        let (headers, vertical): (Vec<&'static str>, bool) = match self {
            Self::Broker => (
                vec![
                    "ID",
                    "Name",
                    "URL",
                    "Description",
                    "Created",
                    "Updated",
                    "Labels",
                    "Last Op",
                ],
                true,
            ),
            Self::Platform => {
                let mut headers = vec![
                    "ID",
                    "Name",
                    "Type",
                    "Description",
                    "Created",
                    "Updated",
                    "Labels",
                ];
                if !doc.get("credentials").is_null() {
                    headers.extend(["Username", "Password"]);
                }
                (headers, false)
            }
            Self::Visibility => (
                vec!["ID", "Platform ID", "Service Plan ID", "Labels"],
                false,
            ),
            Self::Offering => (vec!["Name", "Plans", "Description", "BROKER ID"], false),
            Self::Plan => (vec!["Plan", "Description", "ID"], false),
            Self::Instance => (
                vec![
                    "ID",
                    "Name",
                    "Service Plan ID",
                    "Platform ID",
                    "Shared",
                    "Created",
                    "Updated",
                    "Ready",
                    "Usable",
                    "Labels",
                    "Last Op",
                ],
                true,
            ),
            Self::Binding => (
                vec![
                    "ID",
                    "Name",
                    "Service Instance Name",
                    "Service Instance ID",
                    "Credentials",
                    "Created",
                    "Updated",
                    "Ready",
                    "Labels",
                    "Last Op",
                ],
                true,
            ),
            Self::Operation if doc.str("state") == "failed" => {
                (vec!["ID", "Type", "State", "Error"], true)
            }
            Self::Operation => (vec!["ID", "Type", "State"], true),
        };
        let row = headers.iter().map(|head| cell(head, doc)).collect();
        Table {
            headers,
            rows: vec![row],
            vertical,
        }
    }

    /// The table of several.
    pub(crate) fn many(self, docs: &[Doc], vertical: bool) -> Table {
        let mut headers = match self {
            Self::Broker => vec![
                "ID",
                "Name",
                "URL",
                "Description",
                "Created",
                "Updated",
                "Ready",
                "Labels",
            ],
            Self::Platform => vec![
                "ID",
                "Name",
                "Type",
                "Description",
                "Created",
                "Updated",
                "Ready",
                "Labels",
            ],
            Self::Visibility => vec!["ID", "Platform ID", "Service Plan ID", "Ready", "Labels"],
            Self::Offering => vec!["ID", "Name", "Description", "BROKER ID", "Ready", "Labels"],
            Self::Plan => vec![
                "ID",
                "Name",
                "Shareable",
                "Description",
                "Offering ID",
                "Ready",
                "Labels",
            ],
            Self::Instance => vec![
                "ID",
                "Name",
                "Service Plan ID",
                "Platform ID",
                "Shared",
                "Created",
                "Updated",
                "Ready",
                "Usable",
                "Labels",
            ],
            Self::Binding => vec![
                "ID",
                "Name",
                "Instance Name",
                "Credentials",
                "Created",
                "Updated",
                "Ready",
                "Labels",
            ],
            Self::Operation => vec!["ID", "Type", "State"],
        };
        let last = matches!(self, Self::Instance | Self::Binding)
            && docs.iter().any(|doc| !doc.get("last_operation").is_null());
        if last {
            headers.push("Last Op");
        }
        let rows = docs
            .iter()
            .map(|doc| headers.iter().map(|head| cell(head, doc)).collect())
            .collect();
        Table {
            headers,
            rows,
            vertical,
        }
    }
}

/// The last operation as the old smctl knows it: other fields, and another order, than its `status` has.
fn operation(doc: &Doc) -> Doc {
    const FIELDS: [&str; 20] = [
        "id",
        "labels",
        "ready",
        "description",
        "type",
        "state",
        "resource_id",
        "transitive_resources",
        "resource_type",
        "errors",
        "platform_id",
        "correlation_id",
        "parent_id",
        "cascade_root_id",
        "context",
        "reschedule",
        "reschedule_timestamp",
        "deletion_scheduled",
        "created_at",
        "updated_at",
    ];
    const ALWAYS: [&str; 4] = ["ready", "platform_id", "correlation_id", "reschedule"];
    let mut reduced = Doc::map();
    for field in FIELDS {
        let value = doc.get(field);
        if !value.is_empty() || (ALWAYS.contains(&field) && !value.is_null()) {
            reduced.set(field, value.clone());
        }
    }
    reduced
}

/// The text under a header.
pub(crate) fn cell(header: &str, doc: &Doc) -> String {
    let key = match header {
        "ID" => "id",
        "Name" | "Plan" => "name",
        "URL" => "broker_url",
        "Description" => "description",
        "Type" => "type",
        "State" => "state",
        "Created" => "created_at",
        "Updated" => "updated_at",
        "Platform ID" => "platform_id",
        "Service Plan ID" => "service_plan_id",
        "BROKER ID" => "broker_id",
        "Offering ID" => "service_offering_id",
        "Instance Name" | "Service Instance Name" => "service_instance_name",
        "Service Instance ID" => "service_instance_id",
        "Credentials" => "credentials",
        "Error" => "errors",
        "Ready" => return doc.is("ready").to_string(),
        "Usable" => return doc.is("usable").to_string(),
        "Shared" => return doc.is("shared").to_string(),
        "Shareable" => {
            return doc
                .get("metadata")
                .is("supportsInstanceSharing")
                .to_string();
        }
        "Username" => return doc.at(&["credentials", "basic", "username"]).plain(),
        "Password" => return doc.at(&["credentials", "basic", "password"]).plain(),
        "Labels" => return labels(doc.get("labels")),
        "Plans" => {
            let plans = doc.get("plans").items().iter().map(|plan| plan.str("name"));
            return plans.collect::<Vec<_>>().join(", ");
        }
        "Last Op" => return last(doc.get("last_operation")),
        _ => "",
    };
    doc.get(key).plain()
}

/// `key=v1,v2 key2=v`, in alphabetical order.
pub(crate) fn labels(labels: &Doc) -> String {
    let one = |(key, values): &(String, Doc)| {
        let values = values.items().iter().map(Doc::as_str).collect::<Vec<_>>();
        format!("{key}={}", values.join(","))
    };
    let mut all: Vec<_> = labels.entries().iter().map(one).collect();
    all.sort();
    all.join(" ")
}

/// `create succeeded`, with the errors when it failed.
pub(crate) fn last(operation: &Doc) -> String {
    if operation.is_null() {
        return "-".to_owned();
    }
    let (kind, state) = (operation.str("type"), operation.str("state"));
    if state == "failed" {
        format!("{kind} {state} {}", operation.get("errors").plain())
    } else {
        format!("{kind} {state}")
    }
}
