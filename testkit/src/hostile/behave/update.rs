//! `PATCH /v2/service_instances/{i}` (B40 to B45).

use super::{Asked, async_required, body, busy, doomed};
use crate::hostile::deliver::Reply;
use crate::hostile::memory::{Deed, Memory, Phase};
use serde_json::{Value, json};

pub(super) fn answer(memory: &mut Memory, call: &Asked<'_>) -> Result<Reply, Reply> {
    let sent = body::object(call)?;
    let service_id = body::text(&sent, "service_id")?;
    let Some(instance) = memory.instances.get(call.instance) else {
        return Err(Reply::error(404, "no such instance"));
    };
    let thing = &instance.thing;
    if thing.service_id != service_id {
        return Err(Reply::error(400, "the instance is of another service_id"));
    }
    // What is not sent stays (B40).
    let plan_id = match sent.get("plan_id") {
        Some(Value::String(plan)) => plan.clone(),
        _ => thing.plan_id.clone(),
    };
    let parameters = match sent.get("parameters") {
        None | Some(Value::Null) => thing.parameters.clone(),
        Some(parameters) => parameters.clone(),
    };
    let (_, plan) = body::plan(memory, &service_id, &plan_id)?;
    body::maintenance(&sent, plan)?;
    if plan_id != thing.plan_id {
        let (offering, current) = body::plan(memory, &service_id, &thing.plan_id)?;
        if !offering.changes_plan(current) {
            let text = "the plan of this instance cannot be changed";
            return Err(Reply::error(422, text));
        }
    }
    let deed = Deed::Update(plan_id.clone(), parameters.clone());
    match (thing.phase, thing.running()) {
        (Phase::Updating, Some(running)) if running.deed == deed => {
            return Ok(Reply::new(202, &json!({"operation": running.id})));
        }
        (Phase::Ready, _) => {}
        (Phase::Failed, _) => return Err(Reply::error(422, "the instance is broken")),
        (Phase::Creating | Phase::Updating | Phase::Deleting, _) => return Err(busy()),
    }
    let mut status = 200;
    let mut answer = json!({});
    let mut operation = None;
    if memory.is_asynchronous(&thing.plan_id) {
        if !call.accepts_incomplete() {
            return Err(async_required());
        }
        let started = memory.operation(deed, call.doom.clone());
        status = 202;
        answer = json!({"operation": started.id});
        operation = Some(started);
    } else if let Some(doom) = &call.doom {
        return Err(doomed(doom));
    }
    if let Some(instance) = memory.instances.get_mut(call.instance) {
        match operation {
            Some(operation) => instance.thing.begin(operation),
            None => {
                instance.thing.plan_id = plan_id;
                instance.thing.parameters = parameters;
                instance.thing.operation = None;
            }
        }
    }
    Ok(Reply::new(status, &answer))
}
