//! Schemas, maintenance versions and the dashboard client in the catalog.

use super::catalog::{judge, plans};
use super::sections::CATALOG;
use crate::case::{Case, must, once};
use crate::verdict::{Check, Stop};
use crate::world::World;
use serde_json::Value;

pub(super) const CASES: &[Case] = &[
    must("catalog.schema-shape", &["B13"], CATALOG).says(
        "Schemas stand at service_instance.create/update and service_binding.create, each under `parameters`",
        "Nest schemas as schemas.service_instance.create.parameters.",
        once!(schema_shape),
    ),
    must("catalog.schema-dialect", &["B13"], CATALOG).says(
        "Every schema says its dialect in `$schema`",
        "Add \"$schema\": \"http://json-schema.org/draft-04/schema#\" (or a later draft).",
        once!(schema_dialect),
    ),
    must("catalog.schema-refs", &["B13"], CATALOG).says(
        "No schema has a `$ref` to somewhere else",
        "Inline the definition; only references inside the schema (`#/...`) are allowed.",
        once!(schema_refs),
    ),
    must("catalog.schema-size", &["B13"], CATALOG).says(
        "No schema is larger than 64 kB",
        "Shorten the schema.",
        once!(schema_size),
    ),
    must("catalog.maintenance-version", &["B14"], CATALOG)
        .says(
            "Every maintenance_info has a SemVer 2.0 version",
            "Write the version as MAJOR.MINOR.PATCH, for example \"1.0.0\".",
            once!(maintenance_version),
        )
        .since(15),
    must("catalog.dashboard-client", &["B11"], CATALOG).says(
        "A dashboard_client has a non-empty id and secret, and an unique id",
        "Add id and secret, or leave dashboard_client out.",
        once!(dashboard_client),
    ),
];

/// Every schema of the catalog with its JSON path.
fn schemas(catalog: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (path, plan) in plans(catalog) {
        for (of, verb) in [
            ("service_instance", "create"),
            ("service_instance", "update"),
            ("service_binding", "create"),
        ] {
            let schema = &plan["schemas"][of][verb]["parameters"];
            if !schema.is_null() {
                found.push((format!("{path}.schemas.{of}.{verb}.parameters"), schema));
            }
        }
    }
    found
}

fn need_schemas(world: &World) -> Check {
    if schemas(world.catalog()).is_empty() {
        return Err(Stop::skip("no plan has a schema"));
    }
    Ok(())
}

async fn schema_shape(world: &mut World) -> Check {
    let any = plans(world.catalog()).any(|(_, plan)| plan["schemas"].is_object());
    world.need(any, "no plan has a schema")?;
    judge(world, |catalog, wrong| {
        for (path, plan) in plans(catalog) {
            let Some(schemas) = plan["schemas"].as_object() else {
                continue;
            };
            for (of, verbs) in schemas {
                let known: &[&str] = match of.as_str() {
                    "service_instance" => &["create", "update"],
                    "service_binding" => &["create"],
                    _ => continue,
                };
                for (verb, input) in verbs.as_object().into_iter().flatten() {
                    let parameters = &input["parameters"];
                    let fine =
                        parameters.is_null() || parameters.is_object() || parameters.is_boolean();
                    if known.contains(&verb.as_str()) && (!input.is_object() || !fine) {
                        wrong.push((
                            format!("{path}.schemas.{of}.{verb}.parameters as a JSON Schema"),
                            input.to_string(),
                        ));
                    }
                    if verb == "parameters" || verb == "$schema" {
                        wrong.push((
                            format!("{path}.schemas.{of} with create or update"),
                            format!("{verb:?} directly below"),
                        ));
                    }
                }
            }
        }
    })
}

async fn schema_dialect(world: &mut World) -> Check {
    need_schemas(world)?;
    judge(world, |catalog, wrong| {
        for (path, schema) in schemas(catalog) {
            if schema["$schema"].as_str().is_none_or(str::is_empty) {
                wrong.push((format!("{path}.$schema"), schema["$schema"].to_string()));
            }
        }
    })
}

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match value.as_str() {
                    Some(text) if key == "$ref" => found.push(text),
                    _ => references(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

async fn schema_refs(world: &mut World) -> Check {
    need_schemas(world)?;
    judge(world, |catalog, wrong| {
        for (path, schema) in schemas(catalog) {
            let mut found = Vec::new();
            references(schema, &mut found);
            for reference in found.into_iter().filter(|text| !text.starts_with('#')) {
                wrong.push((
                    format!("{path} without external $ref"),
                    format!("$ref {reference:?}"),
                ));
            }
        }
    })
}

async fn schema_size(world: &mut World) -> Check {
    need_schemas(world)?;
    judge(world, |catalog, wrong| {
        for (path, schema) in schemas(catalog) {
            let size = schema.to_string().len();
            if size > 64 * 1024 {
                wrong.push((
                    format!("{path} of at most 65536 bytes"),
                    format!("{size} bytes"),
                ));
            }
        }
    })
}

async fn maintenance_version(world: &mut World) -> Check {
    let any = plans(world.catalog()).any(|(_, plan)| plan["maintenance_info"].is_object());
    world.need(any, "no plan has maintenance_info")?;
    judge(world, |catalog, wrong| {
        for (path, plan) in plans(catalog) {
            let info = &plan["maintenance_info"];
            if info.is_null() {
                continue;
            }
            let version = info["version"].as_str().unwrap_or_default();
            if semver::Version::parse(version).is_err() {
                wrong.push((
                    format!("{path}.maintenance_info.version as SemVer 2.0"),
                    info["version"].to_string(),
                ));
            }
        }
    })
}

async fn dashboard_client(world: &mut World) -> Check {
    let clients = |catalog: &Value| -> Vec<Value> {
        let services = catalog["services"].as_array().cloned().unwrap_or_default();
        services
            .into_iter()
            .map(|offering| offering["dashboard_client"].clone())
            .filter(Value::is_object)
            .collect()
    };
    let found = clients(world.catalog());
    world.need(!found.is_empty(), "no offering has a dashboard_client")?;
    judge(world, |catalog, wrong| {
        let mut ids = Vec::new();
        for client in clients(catalog) {
            let filled = |key: &str| client[key].as_str().is_some_and(|text| !text.is_empty());
            if !filled("id") || !filled("secret") {
                wrong.push((
                    "a dashboard_client with id and secret".to_owned(),
                    "one of them is missing or empty".to_owned(),
                ));
            }
            if ids.contains(&client["id"]) {
                wrong.push((
                    "an id of its own for every dashboard_client".to_owned(),
                    client["id"].to_string(),
                ));
            }
            ids.push(client["id"].clone());
        }
    })
}
