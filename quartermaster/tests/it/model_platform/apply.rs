//! A notification, applied to what is held.
//!
//! The rule: applying something that is already so changes nothing for good, because what is read at the start may
//! already contain the effect of what is told next.

use super::{Broker, Held, Labels, Visibility, rules};
use serde_json::Value;
use std::collections::BTreeMap;

/// Applies a message; an error is a message that a proxy could not have understood.
pub(super) fn apply(held: &mut Held, message: &Value) -> Result<(), String> {
    let (kind, payload) = (&message["type"], &message["payload"]);
    let side = match kind.as_str() {
        Some("CREATED" | "MODIFIED") => &payload["new"],
        Some("DELETED") => &payload["old"],
        _ => return Err(format!("no type in {message}")),
    };
    if kind == "MODIFIED" && payload["old"]["resource"]["id"].is_null() {
        return Err(format!("a change without its old side: {message}"));
    }
    let (resource, additional) = (&side["resource"], &side["additional"]);
    let id = text(resource, "id")?;
    let changes = &payload["label_changes"];
    match message["resource"].as_str() {
        Some("/v1/service_brokers") => {
            let old = held.brokers.remove(&id);
            if kind == "DELETED" {
                // With a broker goes what was seen of it.
                let plans = old.map(|old| old.plans).unwrap_or_default();
                held.visibilities
                    .retain(|_, visibility| !plans.contains_key(&visibility.plan));
            } else {
                let labels = after(resource, old.map(|old| old.labels), changes)?;
                let broker = broker(resource, labels, plans(additional)?)?;
                held.brokers.insert(id, broker);
            }
        }
        Some("/v1/visibilities") => {
            let old = held.visibilities.remove(&id);
            // A proxy looks its broker up by these.
            for needed in ["broker_id", "broker_name"] {
                text(additional, needed)?;
            }
            text(&additional["service_plan"], "catalog_id")?;
            if kind != "DELETED" {
                let labels = after(resource, old.map(|old| old.labels), changes)?;
                held.visibilities.insert(id, visibility(resource, labels)?);
            }
        }
        _ => return Err(format!("no known resource in {message}")),
    }
    Ok(())
}

/// Labels after a change: as shown, or, where they are left out, as they were with the changes applied.
fn after(resource: &Value, old: Option<Labels>, changes: &Value) -> Result<Labels, String> {
    let mut labels = match (resource.get("labels"), changes.as_array()) {
        (Some(_), _) => return labels(resource),
        (None, None) => return Ok(Labels::new()),
        (None, Some(changes)) if changes.is_empty() => return Ok(old.unwrap_or_default()),
        (None, Some(_)) => old.unwrap_or_default(),
    };
    for change in changes.as_array().into_iter().flatten() {
        let key = text(change, "key")?;
        let values = change["values"].as_array().into_iter().flatten();
        let values = values.filter_map(Value::as_str).map(str::to_owned);
        match change["op"].as_str() {
            Some("add" | "add_values") => labels.entry(key).or_default().extend(values),
            Some("remove" | "remove_values") => {
                let gone: Vec<String> = values.collect();
                let left = labels.entry(key.clone()).or_default();
                left.retain(|value| !gone.is_empty() && !gone.contains(value));
                if left.is_empty() {
                    labels.remove(&key);
                }
            }
            Some("replace") => {
                labels.insert(key, values.collect());
            }
            _ => return Err(format!("an unknown label change {change}")),
        }
    }
    Ok(labels)
}

pub(super) fn broker(
    resource: &Value,
    labels: Labels,
    plans: BTreeMap<String, [String; 4]>,
) -> Result<Broker, String> {
    Ok(Broker {
        name: text(resource, "name")?,
        url: text(resource, "broker_url")?,
        labels,
        plans,
    })
}

pub(super) fn visibility(resource: &Value, labels: Labels) -> Result<Visibility, String> {
    Ok(Visibility {
        plan: text(resource, "service_plan_id")?,
        platform: resource["platform_id"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        labels,
    })
}

fn plans(additional: &Value) -> Result<BTreeMap<String, [String; 4]>, String> {
    let services = additional["services"].as_array();
    let services = services.filter(|services| !services.is_empty());
    let services = services.ok_or_else(|| format!("no services in {additional}"))?;
    let plans = services
        .iter()
        .flat_map(|service| service["plans"].as_array().into_iter().flatten());
    plans.map(plan).collect()
}

pub(super) fn plan(plan: &Value) -> Result<(String, [String; 4]), String> {
    let field = |name| text(plan, name);
    Ok((
        field("id")?,
        [
            field("catalog_id")?,
            field("name")?,
            field("description")?,
            rules::of(plan),
        ],
    ))
}

pub(super) fn labels(resource: &Value) -> Result<Labels, String> {
    match resource.get("labels") {
        None | Some(Value::Null) => Ok(Labels::new()),
        Some(labels) => serde_json::from_value(labels.clone())
            .map_err(|error| format!("labels of {resource}: {error}")),
    }
}

pub(super) fn text(value: &Value, field: &str) -> Result<String, String> {
    let text = value[field].as_str().filter(|text| !text.is_empty());
    text.map(str::to_owned)
        .ok_or_else(|| format!("no {field} in {value}"))
}
