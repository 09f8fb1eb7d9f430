//! Reads what the changing verbs have in common from their bodies and queries.

use super::Asked;
use crate::hostile::deliver::Reply;
use crate::hostile::memory::Memory;
use quartermaster_osb::{Offering, Plan};
use serde_json::{Map, Value};

/// The body as a JSON object, or 400.
pub(super) fn object(call: &Asked<'_>) -> Result<Map<String, Value>, Reply> {
    match serde_json::from_slice(&call.request.body) {
        Ok(Value::Object(body)) => Ok(body),
        _ => Err(Reply::error(400, "the body must be a JSON object")),
    }
}

/// A mandatory string of the body, or 400.
pub(super) fn text(body: &Map<String, Value>, key: &str) -> Result<String, Reply> {
    match body.get(key) {
        Some(Value::String(text)) if !text.is_empty() => Ok(text.clone()),
        _ => Err(Reply::error(400, &format!("{key} is missing"))),
    }
}

/// The named fields of a body, for comparing a repeated request with the first.
pub(super) fn identity(body: &Map<String, Value>, keys: &[&str]) -> Value {
    keys.iter()
        .map(|key| {
            let value = body.get(*key).cloned().unwrap_or_default();
            ((*key).to_owned(), value)
        })
        .collect::<Map<_, _>>()
        .into()
}

/// The offering and the plan, or 400.
pub(super) fn plan<'a>(
    memory: &'a Memory,
    service: &str,
    plan: &str,
) -> Result<(&'a Offering, &'a Plan), Reply> {
    memory
        .catalog
        .plan(service, plan)
        .ok_or_else(|| Reply::error(400, "no such service_id and plan_id in the catalog"))
}

/// 422 when the platform works from an old catalog (B23).
pub(super) fn maintenance(body: &Map<String, Value>, plan: &Plan) -> Result<(), Reply> {
    let Some(sent) = body.get("maintenance_info") else {
        return Ok(());
    };
    let ours = plan
        .maintenance_info
        .as_ref()
        .map(|info| info.version.as_str());
    if sent["version"].as_str() == ours {
        return Ok(());
    }
    Err(Reply::word(
        "MaintenanceInfoConflict",
        "maintenance_info.version is not the catalog's",
    ))
}

/// 400 when a delete lacks its mandatory ids (B60).
pub(super) fn delete_ids(call: &Asked<'_>) -> Result<(), Reply> {
    for key in ["service_id", "plan_id"] {
        if call.query(key).is_none() {
            let text = format!("{key} is missing in the query");
            return Err(Reply::error(400, &text));
        }
    }
    Ok(())
}
