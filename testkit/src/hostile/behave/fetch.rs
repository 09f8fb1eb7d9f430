//! `GET` of an instance and of a binding (B30, B54): 404 until it is made.

use super::Asked;
use crate::hostile::deliver::Reply;
use crate::hostile::memory::{Memory, Phase, Thing};
use serde_json::{Value, json};

pub(super) fn instance(memory: &Memory, call: &Asked<'_>) -> Result<Reply, Reply> {
    let thing = memory
        .instances
        .get(call.instance)
        .map(|instance| &instance.thing);
    let thing = made(thing, "no such instance")?;
    let mut body = json!({
        "service_id": thing.service_id,
        "plan_id": thing.plan_id,
        "dashboard_url": format!("http://dashboard.example/{}", call.instance),
    });
    add_parameters(&mut body, thing);
    Ok(Reply::new(200, &body))
}

pub(super) fn binding(memory: &Memory, call: &Asked<'_>) -> Result<Reply, Reply> {
    let thing = memory
        .instances
        .get(call.instance)
        .and_then(|instance| instance.bindings.get(call.binding));
    let thing = made(thing, "no such binding")?;
    let mut body = json!({"credentials": thing.credentials});
    add_parameters(&mut body, thing);
    Ok(Reply::new(200, &body))
}

fn made<'a>(thing: Option<&'a Thing>, absent: &str) -> Result<&'a Thing, Reply> {
    thing
        .filter(|thing| thing.phase != Phase::Creating)
        .ok_or_else(|| Reply::error(404, absent))
}

fn add_parameters(body: &mut Value, thing: &Thing) {
    if !thing.parameters.is_null() {
        body["parameters"] = thing.parameters.clone();
    }
}
