//! last_operation of instances and bindings (B70 to B73).
//!
//! A poll is also the clock: operations go on only when they are asked about. The poll in which a deletion ends
//! says `succeeded`, later ones say 410. An operation that is not known means the latest one (T6).

use super::{Asked, flags};
use crate::hostile::deliver::Reply;
use crate::hostile::memory::{Memory, Operation};
use quartermaster_osb::State;
use serde_json::json;

pub(super) fn answer(memory: &mut Memory, call: &Asked<'_>) -> Result<Reply, Reply> {
    let retry_after = memory.retry_after;
    let gone = memory.is_gone(call.instance, call.binding());
    let instance = memory.instances.get_mut(call.instance);
    let thing = match call.binding() {
        None => instance.map(|instance| &mut instance.thing),
        Some(id) => instance.and_then(|instance| instance.bindings.get_mut(id)),
    };
    let Some(thing) = thing else {
        return Err(if gone {
            Reply::new(410, &json!({}))
        } else {
            Reply::error(404, "nothing is known of it")
        });
    };
    let deleted = thing.step();
    let mut reply = match &thing.operation {
        Some(operation) => said(operation),
        // It was made at once; the last thing that happened to it went well.
        None => Reply::new(200, &json!({"state": State::Succeeded.as_str()})),
    };
    if thing.running().is_some()
        && let Some(seconds) = retry_after
    {
        let seconds = seconds.to_string();
        reply.headers.push(("Retry-After".to_owned(), seconds));
    }
    if deleted {
        memory.remove(call.instance, call.binding());
    }
    Ok(reply)
}

fn said(operation: &Operation) -> Reply {
    let state = operation.state.as_str();
    let mut body = json!({
        "state": state,
        "description": format!("{} is {state}", operation.id),
    });
    if let (State::Failed, Some(doom)) = (operation.state, &operation.doom) {
        body["description"] = json!(doom.description);
        flags(doom, &mut body);
    }
    Reply::new(200, &body)
}
