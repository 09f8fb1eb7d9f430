//! `DELETE /v2/service_instances/{i}` (B60, B61).
//!
//! The specification leaves open what happens while bindings remain. Here it is 422: platforms must delete
//! them first, and one that does not should be noticed.

use super::{Asked, async_required, body, busy, doomed};
use crate::hostile::deliver::Reply;
use crate::hostile::memory::{Deed, Memory, Phase};
use serde_json::json;

pub(super) fn answer(memory: &mut Memory, call: &Asked<'_>) -> Result<Reply, Reply> {
    body::delete_ids(call)?;
    let Some(instance) = memory.instances.get(call.instance) else {
        return Err(Reply::new(410, &json!({})));
    };
    let thing = &instance.thing;
    match (thing.phase, thing.running()) {
        (Phase::Deleting, Some(running)) => {
            return Ok(Reply::new(202, &json!({"operation": running.id})));
        }
        (Phase::Updating, _) => return Err(busy()),
        // A deletion during a creation halts it and cleans up.
        _ => {}
    }
    if !instance.bindings.is_empty() {
        return Err(Reply::error(
            422,
            "delete the bindings of the instance first",
        ));
    }
    if memory.is_asynchronous(&thing.plan_id) {
        if !call.accepts_incomplete() {
            return Err(async_required());
        }
        let operation = memory.operation(Deed::Delete, call.doom.clone());
        let answer = json!({"operation": operation.id});
        if let Some(instance) = memory.instances.get_mut(call.instance) {
            instance.thing.begin(operation);
        }
        return Ok(Reply::new(202, &answer));
    }
    if let Some(doom) = &call.doom {
        return Err(doomed(doom));
    }
    memory.remove(call.instance, None);
    Ok(Reply::new(200, &json!({})))
}
