//! `PUT /v2/service_instances/{i}` (B20 to B25).

use super::{Asked, async_required, body, busy, doomed};
use crate::hostile::deliver::Reply;
use crate::hostile::memory::{Deed, Instance, Memory, Phase, Thing};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A repeated request is the same request when these are equal (T12), plan and parameters besides.
const IDENTITY: [&str; 2] = ["organization_guid", "space_guid"];

pub(super) fn answer(memory: &mut Memory, call: &Asked<'_>) -> Result<Reply, Reply> {
    let sent = body::object(call)?;
    let service_id = body::text(&sent, "service_id")?;
    let plan_id = body::text(&sent, "plan_id")?;
    body::text(&sent, "organization_guid")?;
    body::text(&sent, "space_guid")?;
    let (_, plan) = body::plan(memory, &service_id, &plan_id)?;
    body::maintenance(&sent, plan)?;
    let mut thing = Thing {
        service_id,
        plan_id,
        parameters: sent.get("parameters").cloned().unwrap_or_default(),
        identity: body::identity(&sent, &IDENTITY),
        credentials: Value::Null,
        phase: Phase::Ready,
        operation: None,
    };
    if let Some(known) = memory.instances.get(call.instance) {
        return repeated(&known.thing, &thing, call.instance);
    }
    let mut status = 201;
    if memory.is_asynchronous(&thing.plan_id) {
        if !call.accepts_incomplete() {
            return Err(async_required());
        }
        thing.begin(memory.operation(Deed::Create, call.doom.clone()));
        status = 202;
    } else if let Some(doom) = &call.doom {
        return Err(doomed(doom));
    }
    let reply = Reply::new(status, &made(&thing, call.instance));
    let bindings = BTreeMap::new();
    memory
        .instances
        .insert(call.instance.to_owned(), Instance { thing, bindings });
    Ok(reply)
}

fn repeated(known: &Thing, sent: &Thing, id: &str) -> Result<Reply, Reply> {
    let same = known.service_id == sent.service_id
        && known.plan_id == sent.plan_id
        && known.parameters == sent.parameters
        && known.identity == sent.identity;
    match known.phase {
        Phase::Deleting => Err(busy()),
        _ if !same => Err(Reply::error(
            409,
            "the instance exists with other attributes",
        )),
        Phase::Creating => Ok(Reply::new(202, &made(known, id))),
        Phase::Ready | Phase::Updating => Ok(Reply::new(200, &made(known, id))),
        Phase::Failed => Err(Reply::error(409, "the instance exists and is broken")),
    }
}

/// The body of 200, 201 and 202: the operation only while one creates.
fn made(thing: &Thing, id: &str) -> Value {
    let mut body = json!({"dashboard_url": format!("http://dashboard.example/{id}")});
    if let Some(operation) = thing
        .running()
        .filter(|operation| operation.deed == Deed::Create)
    {
        body["operation"] = json!(operation.id);
    }
    body
}
