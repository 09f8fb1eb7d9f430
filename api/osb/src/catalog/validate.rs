//! Every fault of a catalog, with its JSON path (B11 to B15).
//!
//! SDK brokers call it at start, the manager when it registers a broker, the conformance suite on what
//! came over the wire. The rule: it works on raw JSON, so that one fault does not hide the next, and a
//! catalog without a MUST in the list decodes into [`Catalog`].

use super::{Catalog, fields::Fields, schema};
use crate::problem::{Problem, Report};
use serde_json::Value;
use std::collections::HashMap;

/// What an offering may require.
const REQUIRES: [&str; 3] = ["syslog_drain", "route_forwarding", "volume_mount"];

impl Catalog {
    /// Every fault of this catalog.
    pub fn problems(&self) -> Vec<Problem> {
        match serde_json::to_value(self) {
            Ok(value) => problems_of(&value),
            Err(_) => {
                let mut report = Report::default();
                report.must("$", "E1", "cannot be written as JSON");
                report.finish()
            }
        }
    }
}

/// Every fault of a catalog that may not even have the right shape.
pub fn problems_of(catalog: &Value) -> Vec<Problem> {
    let mut report = Report::default();
    let mut seen = Seen::default();
    if let Some(catalog) = Fields::of(catalog, "$".to_owned(), &mut report)
        && let Some(services) = catalog.required_array("services", &mut report)
    {
        let path = catalog.path_of("services");
        for (at, value) in services.iter().enumerate() {
            if let Some(fields) = Fields::of(value, format!("{path}[{at}]"), &mut report) {
                offering(&fields, &mut seen, &mut report);
            }
        }
    }
    report.finish()
}

/// Where each name and id stood first. Plan names are unique in their offering only.
#[derive(Default)]
struct Seen<'a> {
    offering_names: HashMap<&'a str, String>,
    offering_ids: HashMap<&'a str, String>,
    plan_ids: HashMap<&'a str, String>,
}

fn offering<'a>(fields: &Fields<'a>, seen: &mut Seen<'a>, report: &mut Report) {
    let name = fields.name("name", report);
    unique(
        &mut seen.offering_names,
        name,
        fields.path_of("name"),
        report,
    );
    let id = fields.id("id", report);
    unique(&mut seen.offering_ids, id, fields.path_of("id"), report);
    fields.required_text("description", report);
    let bindable = fields.required_flag("bindable", report);
    for (path, tag) in fields.texts("tags", report) {
        if tag.is_empty() {
            report.should(&path, "B12", "should not be empty");
        }
    }
    for (path, word) in fields.texts("requires", report) {
        if !REQUIRES.contains(&word) {
            let message = "must be syslog_drain, route_forwarding or volume_mount";
            report.must(&path, "B15", message);
        }
    }
    for flag in [
        "instances_retrievable",
        "bindings_retrievable",
        "allow_context_updates",
        "plan_updateable",
    ] {
        fields.optional_flag(flag, report);
    }
    fields.object("metadata", report);
    if let Some(client) = fields.object("dashboard_client", report) {
        client.required_text("id", report);
        client.required_text("secret", report);
        client.optional_text("redirect_uri", report);
    }
    plans(fields, bindable, seen, report);
}

fn plans<'a>(
    offering: &Fields<'a>,
    bindable: Option<bool>,
    seen: &mut Seen<'a>,
    report: &mut Report,
) {
    let Some(plans) = offering.required_array("plans", report) else {
        return;
    };
    let path = offering.path_of("plans");
    if plans.is_empty() {
        report.must(&path, "B11", "must have at least one plan");
    }
    let mut names = HashMap::new();
    for (at, value) in plans.iter().enumerate() {
        let Some(fields) = Fields::of(value, format!("{path}[{at}]"), report) else {
            continue;
        };
        let id = fields.id("id", report);
        unique(&mut seen.plan_ids, id, fields.path_of("id"), report);
        let name = fields.name("name", report);
        unique(&mut names, name, fields.path_of("name"), report);
        plan(&fields, bindable, report);
    }
}

fn plan(fields: &Fields<'_>, offering_bindable: Option<bool>, report: &mut Report) {
    fields.required_text("description", report);
    fields.object("metadata", report);
    fields.optional_flag("free", report);
    let bindable = fields
        .optional_flag("bindable", report)
        .or(offering_bindable);
    let rotatable = fields.optional_flag("binding_rotatable", report);
    if rotatable == Some(true) && bindable == Some(false) {
        let message = "should not be true in a plan that cannot be bound";
        report.should(&fields.path_of("binding_rotatable"), "B55", message);
    }
    fields.optional_flag("plan_updateable", report);
    if let Some(value) = fields.any("maximum_polling_duration", report)
        && value.as_u64().is_none_or(|seconds| seconds == 0)
    {
        let message = "must be a whole number of seconds above zero";
        report.must(&fields.path_of("maximum_polling_duration"), "E1", message);
    }
    if let Some(info) = fields.object("maintenance_info", report) {
        info.optional_text("description", report);
        if let Some(version) = info.required_text("version", report)
            && semver::Version::parse(version).is_err()
        {
            let message = "must be a version by SemVer 2.0, for example 1.4.2";
            report.must(&info.path_of("version"), "B14", message);
        }
    }
    if let Some(schemas) = fields.object("schemas", report) {
        schema::check(&schemas, report);
    }
}

fn unique<'a>(
    seen: &mut HashMap<&'a str, String>,
    value: Option<&'a str>,
    path: String,
    report: &mut Report,
) {
    let Some(value) = value else { return };
    match seen.get(value) {
        Some(first) => report.must(&path, "B11", format!("must be unique; {first} is the same")),
        None => {
            seen.insert(value, path);
        }
    }
}
