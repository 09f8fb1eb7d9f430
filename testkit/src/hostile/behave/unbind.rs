//! `DELETE .../service_bindings/{b}` (B60, B63). Existence is looked at before the ids (T5).

use super::{Asked, async_required, body, doomed};
use crate::hostile::deliver::Reply;
use crate::hostile::memory::{Deed, Memory, Phase};
use serde_json::json;

pub(super) fn answer(memory: &mut Memory, call: &Asked<'_>) -> Result<Reply, Reply> {
    let known = memory
        .instances
        .get(call.instance)
        .and_then(|instance| instance.bindings.get(call.binding));
    let Some(thing) = known else {
        return Err(Reply::new(410, &json!({})));
    };
    body::delete_ids(call)?;
    if let (Phase::Deleting, Some(running)) = (thing.phase, thing.running()) {
        return Ok(Reply::new(202, &json!({"operation": running.id})));
    }
    if memory.is_asynchronous(&thing.plan_id) {
        if !call.accepts_incomplete() {
            return Err(async_required());
        }
        let operation = memory.operation(Deed::Delete, call.doom.clone());
        let answer = json!({"operation": operation.id});
        if let Some(instance) = memory.instances.get_mut(call.instance)
            && let Some(thing) = instance.bindings.get_mut(call.binding)
        {
            thing.begin(operation);
        }
        return Ok(Reply::new(202, &answer));
    }
    if let Some(doom) = &call.doom {
        return Err(doomed(doom));
    }
    memory.remove(call.instance, Some(call.binding));
    Ok(Reply::new(200, &json!({})))
}
