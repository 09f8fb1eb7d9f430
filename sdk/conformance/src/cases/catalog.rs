//! What stands in the catalog: offerings and plans.
//!
//! These cases read the catalog fetched at the start of the run; they send nothing.

use super::sections::CATALOG;
use crate::case::{Case, must, once, should};
use crate::verdict::{Check, Problems, Stop};
use crate::world::World;
use serde_json::Value;
use std::collections::HashMap;

pub(super) const CASES: &[Case] = &[
    must("catalog.works", &["B11"], CATALOG).says(
        "GET /v2/catalog answers 200 with an object that has an array `services`",
        "Serve `{\"services\": [...]}` at GET /v2/catalog.",
        once!(works),
    ),
    must("catalog.offering-fields", &["B11"], CATALOG).says(
        "Every offering has name, id, description, bindable and plans, each of its type",
        "Add the missing field or correct its type.",
        once!(offering_fields),
    ),
    must("catalog.plan-fields", &["B11"], CATALOG).says(
        "Every plan has id, name and description as non-empty text",
        "Add the missing field or correct its type.",
        once!(plan_fields),
    ),
    must("catalog.plans-present", &["B11"], CATALOG).says(
        "Every offering has at least one plan",
        "Leave out offerings without plans.",
        once!(plans_present),
    ),
    must("catalog.unique-names", &["B11"], CATALOG).says(
        "Names of offerings are unique in the catalog",
        "Rename one of the offerings.",
        once!(unique_names),
    ),
    must("catalog.unique-plan-names", &["B11"], CATALOG).says(
        "Names of plans are unique in their offering",
        "Rename one of the plans.",
        once!(unique_plan_names),
    ),
    must("catalog.unique-ids", &["B11"], CATALOG).says(
        "Ids of offerings and plans are unique in the whole catalog",
        "Give every offering and every plan an id of its own (a GUID).",
        once!(unique_ids),
    ),
    must("catalog.optional-fields", &["B11", "B7"], CATALOG).says(
        "Optional fields have the types the specification gives them",
        "Correct the type, or leave the field out.",
        once!(optional_fields),
    ),
    must("catalog.requires-words", &["B15"], CATALOG).says(
        "`requires` holds only syslog_drain, route_forwarding and volume_mount",
        "Remove other words from `requires`.",
        once!(requires_words),
    ),
    should("catalog.friendly-names", &["B12"], CATALOG).says(
        "Names hold only letters, digits, periods and hyphens",
        "Rename the offering or plan so that it can be typed on a command line.",
        once!(friendly_names),
    ),
    should("catalog.text-lengths", &["B12"], CATALOG).says(
        "Names, ids and descriptions have at most 255 characters",
        "Shorten the text; move the long one to metadata.longDescription.",
        once!(text_lengths),
    ),
    should("catalog.guid-ids", &["B12"], CATALOG).says(
        "Ids of offerings and plans are GUIDs",
        "Use GUIDs: an id that another broker also uses makes a platform mix up the two.",
        once!(guid_ids),
    ),
    should("catalog.known-spelling", &["B11"], CATALOG).says(
        "No field is misspelt or misplaced (plan_updatable, binding_rotatable on an offering, ...)",
        "Spell `plan_updateable` as the specification does; put plan-level fields on plans.",
        once!(known_spelling),
    ),
    should("catalog.rotatable-is-bindable", &["B55"], CATALOG)
        .says(
            "A plan that is binding_rotatable is bindable",
            "Set binding_rotatable only where there are bindings to rotate.",
            once!(rotatable_is_bindable),
        )
        .since(17),
];

fn offerings(catalog: &Value) -> impl Iterator<Item = (String, &Value)> {
    catalog["services"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
        .map(|(i, offering)| (format!("$.services[{i}]"), offering))
}

/// Every plan with its JSON path.
pub(super) fn plans(catalog: &Value) -> impl Iterator<Item = (String, &Value)> {
    offerings(catalog).flat_map(|(path, offering)| {
        offering["plans"]
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
            .map(move |(i, plan)| (format!("{path}.plans[{i}]"), plan))
    })
}

fn everything(catalog: &Value) -> impl Iterator<Item = (String, &Value)> {
    offerings(catalog).chain(plans(catalog))
}

/// Judges the catalog as fetched; findings carry that exchange.
pub(super) fn judge(world: &World, look: impl FnOnce(&Value, &mut Vec<(String, String)>)) -> Check {
    let reply = &world.scene.catalog;
    let Some(catalog) = reply
        .json
        .as_ref()
        .filter(|json| json["services"].is_array())
    else {
        return Err(Stop::skip("there is no catalog to read; see catalog.works"));
    };
    let mut wrong = Vec::new();
    look(catalog, &mut wrong);
    let mut problems = Problems::default();
    for (expected, seen) in wrong {
        problems.take(Err(reply.fail_seen(expected, seen)))?;
    }
    problems.done()
}

async fn works(world: &mut World) -> Check {
    let reply = world.send(crate::Request::catalog()).await?;
    reply.status_in(&[200], "the catalog is there")?;
    let services = reply.object()?.get("services");
    reply.ensure(services.is_some_and(Value::is_array), "an array `services`")
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

async fn offering_fields(world: &mut World) -> Check {
    judge(world, |catalog, wrong| {
        for (path, offering) in offerings(catalog) {
            for key in ["name", "id", "description"] {
                if !is_text(&offering[key]) {
                    wrong.push((
                        format!("{path}.{key} as non-empty text"),
                        offering[key].to_string(),
                    ));
                }
            }
            if !offering["bindable"].is_boolean() {
                wrong.push((
                    format!("{path}.bindable as boolean"),
                    offering["bindable"].to_string(),
                ));
            }
            if !offering["plans"].is_array() {
                wrong.push((
                    format!("{path}.plans as array"),
                    offering["plans"].to_string(),
                ));
            }
        }
    })
}

async fn plan_fields(world: &mut World) -> Check {
    judge(world, |catalog, wrong| {
        for (path, plan) in plans(catalog) {
            for key in ["id", "name", "description"] {
                if !is_text(&plan[key]) {
                    wrong.push((
                        format!("{path}.{key} as non-empty text"),
                        plan[key].to_string(),
                    ));
                }
            }
        }
    })
}

async fn plans_present(world: &mut World) -> Check {
    judge(world, |catalog, wrong| {
        for (path, offering) in offerings(catalog) {
            if offering["plans"].as_array().is_some_and(Vec::is_empty) {
                wrong.push((
                    format!("{path}.plans with at least one plan"),
                    "none".to_owned(),
                ));
            }
        }
    })
}

/// Reports texts that stand at more than one path.
fn twice<'a>(
    texts: impl Iterator<Item = (String, Option<&'a str>)>,
    what: &str,
    wrong: &mut Vec<(String, String)>,
) {
    let mut seen: HashMap<&str, String> = HashMap::new();
    for (path, text) in texts {
        let Some(text) = text else { continue };
        if let Some(first) = seen.get(text) {
            wrong.push((
                format!("{what}: unique"),
                format!("{text:?} at {first} and at {path}"),
            ));
        } else {
            seen.insert(text, path);
        }
    }
}

async fn unique_names(world: &mut World) -> Check {
    judge(world, |catalog, wrong| {
        let names = offerings(catalog).map(|(path, offering)| (path, offering["name"].as_str()));
        twice(names, "names of offerings", wrong);
    })
}

async fn unique_plan_names(world: &mut World) -> Check {
    judge(world, |catalog, wrong| {
        for (path, offering) in offerings(catalog) {
            let plans = offering["plans"]
                .as_array()
                .into_iter()
                .flatten()
                .enumerate();
            let names =
                plans.map(|(i, plan)| (format!("{path}.plans[{i}]"), plan["name"].as_str()));
            twice(names, "names of plans in an offering", wrong);
        }
    })
}

async fn unique_ids(world: &mut World) -> Check {
    judge(world, |catalog, wrong| {
        let ids = everything(catalog).map(|(path, thing)| (path, thing["id"].as_str()));
        twice(ids, "ids of offerings and plans", wrong);
    })
}

async fn optional_fields(world: &mut World) -> Check {
    judge(world, |catalog, wrong| {
        let mut check = |path: &str, thing: &Value, key: &str, kind: &str| {
            let value = &thing[key];
            let fine = match kind {
                "boolean" => value.is_boolean(),
                "object" => value.is_object(),
                "texts" => value
                    .as_array()
                    .is_some_and(|all| all.iter().all(Value::is_string)),
                _ => value.as_u64().is_some_and(|number| number > 0),
            };
            // null counts as absent
            if !fine && !value.is_null() {
                wrong.push((format!("{path}.{key} as {kind}"), value.to_string()));
            }
        };
        for (path, offering) in offerings(catalog) {
            for key in [
                "instances_retrievable",
                "bindings_retrievable",
                "allow_context_updates",
                "plan_updateable",
            ] {
                check(&path, offering, key, "boolean");
            }
            check(&path, offering, "tags", "texts");
            check(&path, offering, "requires", "texts");
            check(&path, offering, "metadata", "object");
            check(&path, offering, "dashboard_client", "object");
        }
        for (path, plan) in plans(catalog) {
            for key in ["free", "bindable", "plan_updateable", "binding_rotatable"] {
                check(&path, plan, key, "boolean");
            }
            check(&path, plan, "metadata", "object");
            check(&path, plan, "schemas", "object");
            check(&path, plan, "maintenance_info", "object");
            check(&path, plan, "maximum_polling_duration", "positive integer");
        }
    })
}

async fn requires_words(world: &mut World) -> Check {
    judge(world, |catalog, wrong| {
        for (path, offering) in offerings(catalog) {
            for word in offering["requires"].as_array().into_iter().flatten() {
                let known = ["syslog_drain", "route_forwarding", "volume_mount"];
                if !word.as_str().is_some_and(|word| known.contains(&word)) {
                    wrong.push((
                        format!("{path}.requires with only {}", known.join(", ")),
                        word.to_string(),
                    ));
                }
            }
        }
    })
}

async fn friendly_names(world: &mut World) -> Check {
    judge(world, |catalog, wrong| {
        for (path, thing) in everything(catalog) {
            let name = thing["name"].as_str().unwrap_or_default();
            if !name
                .chars()
                .all(|c| c.is_alphanumeric() || c == '.' || c == '-')
            {
                wrong.push((
                    format!("{path}.name with letters, digits, '.' and '-' only"),
                    format!("{name:?}"),
                ));
            }
        }
    })
}

async fn text_lengths(world: &mut World) -> Check {
    judge(world, |catalog, wrong| {
        for (path, thing) in everything(catalog) {
            for key in ["name", "id", "description"] {
                let length = thing[key].as_str().unwrap_or_default().chars().count();
                if length > 255 {
                    wrong.push((
                        format!("{path}.{key} with at most 255 characters"),
                        format!("{length} characters"),
                    ));
                }
            }
        }
    })
}

async fn guid_ids(world: &mut World) -> Check {
    judge(world, |catalog, wrong| {
        for (path, thing) in everything(catalog) {
            let id = thing["id"].as_str().unwrap_or_default();
            if uuid::Uuid::parse_str(id).is_err() {
                wrong.push((format!("{path}.id as a GUID"), format!("{id:?}")));
            }
        }
    })
}

async fn known_spelling(world: &mut World) -> Check {
    judge(world, |catalog, wrong| {
        let mut absent = |path: &str, thing: &Value, key: &str, hint: &str| {
            if thing.get(key).is_some() {
                wrong.push((format!("no {path}.{key}: {hint}"), thing[key].to_string()));
            }
        };
        for (path, offering) in offerings(catalog) {
            absent(
                &path,
                offering,
                "plan_updatable",
                "it is spelt plan_updateable",
            );
            absent(&path, offering, "binding_rotatable", "it belongs on a plan");
            absent(&path, offering, "maintenance_info", "it belongs on a plan");
            absent(
                &path,
                offering,
                "instance_retrievable",
                "it is spelt instances_retrievable",
            );
            absent(
                &path,
                offering,
                "binding_retrievable",
                "it is spelt bindings_retrievable",
            );
        }
        for (path, plan) in plans(catalog) {
            absent(&path, plan, "plan_updatable", "it is spelt plan_updateable");
            absent(
                &path,
                plan,
                "bindings_retrievable",
                "it belongs on the offering",
            );
            absent(
                &path,
                plan,
                "instances_retrievable",
                "it belongs on the offering",
            );
        }
    })
}

async fn rotatable_is_bindable(world: &mut World) -> Check {
    judge(world, |catalog, wrong| {
        for (path, offering) in offerings(catalog) {
            for (i, plan) in offering["plans"]
                .as_array()
                .into_iter()
                .flatten()
                .enumerate()
            {
                let bindable = plan["bindable"]
                    .as_bool()
                    .or(offering["bindable"].as_bool())
                    .unwrap_or(false);
                if plan["binding_rotatable"] == Value::Bool(true) && !bindable {
                    wrong.push((
                        format!("{path}.plans[{i}] to be bindable"),
                        "it is not".to_owned(),
                    ));
                }
            }
        }
    })
}
