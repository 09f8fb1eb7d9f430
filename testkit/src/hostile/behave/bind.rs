//! `PUT .../service_bindings/{b}`, for a new binding and for a rotation (B50 to B55).

use super::{Asked, async_required, body, busy, doomed};
use crate::hostile::deliver::Reply;
use crate::hostile::memory::{Deed, Memory, Phase, Thing};
use serde_json::{Map, Value, json};

/// A repeated request is the same request when these are equal, plan and parameters besides.
const IDENTITY: [&str; 3] = ["app_guid", "bind_resource", "predecessor_binding_id"];

pub(super) fn answer(memory: &mut Memory, call: &Asked<'_>) -> Result<Reply, Reply> {
    let sent = body::object(call)?;
    let mut thing = if sent.contains_key("predecessor_binding_id") {
        successor(memory, call, &sent)?
    } else {
        fresh(memory, call, &sent)?
    };
    let Some(instance) = memory.instances.get(call.instance) else {
        return Err(Reply::error(404, "no such instance"));
    };
    if let Some(known) = instance.bindings.get(call.binding) {
        return repeated(known, &thing);
    }
    match instance.thing.phase {
        Phase::Ready => {}
        Phase::Failed => return Err(Reply::error(422, "the instance is broken")),
        Phase::Creating | Phase::Updating | Phase::Deleting => return Err(busy()),
    }
    let reply = if memory.is_asynchronous(&thing.plan_id) {
        if !call.accepts_incomplete() {
            return Err(async_required());
        }
        let operation = memory.operation(Deed::Create, call.doom.clone());
        let reply = Reply::new(202, &json!({"operation": operation.id}));
        thing.begin(operation);
        reply
    } else if let Some(doom) = &call.doom {
        return Err(doomed(doom));
    } else {
        Reply::new(201, &json!({"credentials": thing.credentials}))
    };
    if let Some(instance) = memory.instances.get_mut(call.instance) {
        instance.bindings.insert(call.binding.to_owned(), thing);
    }
    Ok(reply)
}

fn fresh(memory: &Memory, call: &Asked<'_>, sent: &Map<String, Value>) -> Result<Thing, Reply> {
    let service_id = body::text(sent, "service_id")?;
    let plan_id = body::text(sent, "plan_id")?;
    let (offering, plan) = body::plan(memory, &service_id, &plan_id)?;
    if !offering.binds(plan) {
        return Err(Reply::error(400, "this plan cannot be bound"));
    }
    let parameters = sent.get("parameters").cloned().unwrap_or_default();
    Ok(thing(call, sent, service_id, plan_id, parameters))
}

/// The new binding inherits everything from the old one (B55).
fn successor(memory: &Memory, call: &Asked<'_>, sent: &Map<String, Value>) -> Result<Thing, Reply> {
    let id = body::text(sent, "predecessor_binding_id")?;
    let old = memory
        .instances
        .get(call.instance)
        .and_then(|instance| instance.bindings.get(&id))
        .filter(|old| old.phase == Phase::Ready)
        .ok_or_else(|| Reply::error(400, "predecessor_binding_id is no binding of the instance"))?;
    let (_, plan) = body::plan(memory, &old.service_id, &old.plan_id)?;
    if !plan.binding_rotatable {
        return Err(Reply::error(400, "bindings of this plan cannot be rotated"));
    }
    let (service_id, plan_id) = (old.service_id.clone(), old.plan_id.clone());
    Ok(thing(
        call,
        sent,
        service_id,
        plan_id,
        old.parameters.clone(),
    ))
}

fn thing(
    call: &Asked<'_>,
    sent: &Map<String, Value>,
    service_id: String,
    plan_id: String,
    parameters: Value,
) -> Thing {
    Thing {
        service_id,
        plan_id,
        parameters,
        identity: body::identity(sent, &IDENTITY),
        credentials: json!({
            "username": call.binding,
            "password": format!("secret-of-{}", call.binding),
            "instance": call.instance,
        }),
        phase: Phase::Ready,
        operation: None,
    }
}

fn repeated(known: &Thing, sent: &Thing) -> Result<Reply, Reply> {
    let same = known.service_id == sent.service_id
        && known.plan_id == sent.plan_id
        && known.parameters == sent.parameters
        && known.identity == sent.identity;
    match (known.phase, known.running()) {
        (Phase::Deleting, _) => Err(busy()),
        _ if !same => Err(Reply::error(
            409,
            "the binding exists with other attributes",
        )),
        (Phase::Creating, Some(running)) => Ok(Reply::new(202, &json!({"operation": running.id}))),
        (Phase::Failed, _) => Err(Reply::error(409, "the binding exists and is broken")),
        _ => Ok(Reply::new(200, &json!({"credentials": known.credentials}))),
    }
}
