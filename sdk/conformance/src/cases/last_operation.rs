//! Polling.

use super::sections::{POLL_BINDING, POLL_INSTANCE, POLL_INTERVAL};
use crate::case::{Case, How, Seen, must, own, shared, should};
use crate::client::Reply;
use crate::request::Request;
use crate::verdict::{Check, Stop};
use crate::world::{Binding, Instance, World};
use serde_json::Value;

pub(super) const CASES: &[Case] = &[
    must("last-operation.state", &["B70"], POLL_INSTANCE).says(
        "The state is exactly `in progress`, `succeeded` or `failed`",
        "Write the state in lower case, `in progress` with a blank.",
        How::Watch(state),
    ),
    must("last-operation.description", &["B72"], POLL_INSTANCE).says(
        "A description is non-empty text when present",
        "Leave the description out when there is nothing to say.",
        How::Watch(description),
    ),
    must("last-operation.flags", &["B44", "B8"], POLL_INSTANCE).says(
        "instance_usable and update_repeatable are booleans, and absent from bindings",
        "Send them only for instances, as booleans.",
        How::Watch(flags),
    ),
    must("last-operation.codes", &["B70", "B7"], POLL_INSTANCE).says(
        "A poll is answered with 200, 400, 404, 410 (or 401, 412, 422); nothing else",
        "Use the codes of the specification.",
        How::Watch(codes),
    ),
    should("last-operation.retry-after", &["B71"], POLL_INTERVAL).says(
        "Retry-After is a number of seconds or an HTTP date",
        "Send Retry-After as whole seconds.",
        How::Watch(retry_after),
    ),
    must("last-operation.unknown-instance", &["B70"], POLL_INSTANCE).says(
        "A poll for an unknown instance is answered with 404",
        "Answer 404 for ids that were never made.",
        own!(unknown_instance),
    ),
    must("last-operation.unknown-binding", &["B70"], POLL_BINDING)
        .says(
            "A poll for an unknown binding is answered with 404",
            "Answer 404 for ids that were never made.",
            shared!(unknown_binding),
        )
        .since(14),
    should("last-operation.stays", &["B71"], POLL_INSTANCE).says(
        "The final state of a provision can be read again",
        "Keep the outcome of the last operation with the instance.",
        own!(stays),
    ),
    should("last-operation.binding-stays", &["B71"], POLL_BINDING)
        .says(
            "The final state of a bind can be read again",
            "Keep the outcome of the last operation with the binding.",
            own!(binding_stays),
        )
        .since(14),
    must("last-operation.no-hints", &["B70"], POLL_INSTANCE).says(
        "A poll works without service_id and plan_id in the query",
        "Both are hints only.",
        own!(no_hints),
    ),
    must("last-operation.no-operation", &["B73"], POLL_INSTANCE).says(
        "While an operation runs, a poll without operation reports it",
        "Fall back to the latest operation of the instance.",
        own!(no_operation),
    ),
    must(
        "last-operation.odd-operation",
        &["B7", "B70"],
        POLL_INSTANCE,
    )
    .says(
        "A poll with an operation that the broker never handed out is not a 5xx",
        "Answer 400, or report the latest operation.",
        shared!(odd_operation),
    ),
    must("last-operation.synchronous", &["B70", "B7"], POLL_INSTANCE).says(
        "A poll for an instance that was made synchronously is answered with 200, 400 or 404",
        "Report succeeded, or answer 404; never a 5xx.",
        own!(synchronous),
    ),
];

fn is_state(request: &Request, reply: &Reply) -> bool {
    request.polls() && reply.status == 200
}

fn state(request: &Request, reply: &Reply) -> Seen {
    if !is_state(request, reply) {
        return Seen::NotMine;
    }
    match reply.text("state") {
        Some("in progress" | "succeeded" | "failed") => Seen::Right,
        _ => Seen::Wrong("state: in progress, succeeded or failed".to_owned()),
    }
}

fn description(request: &Request, reply: &Reply) -> Seen {
    if !is_state(request, reply) || request.about_binding() {
        return Seen::NotMine;
    }
    match reply.field("description") {
        None => Seen::Right,
        Some(Value::String(text)) if !text.is_empty() => Seen::Right,
        Some(_) => Seen::Wrong("a description that is non-empty text, or none".to_owned()),
    }
}

fn flags(request: &Request, reply: &Reply) -> Seen {
    if !is_state(request, reply) {
        return Seen::NotMine;
    }
    for key in ["instance_usable", "update_repeatable"] {
        match reply.field(key) {
            Some(_) if request.about_binding() => {
                return Seen::Wrong(format!("no {key} for a binding"));
            }
            Some(value) if !value.is_boolean() => {
                return Seen::Wrong(format!("{key} as a boolean"));
            }
            _ => {}
        }
    }
    Seen::Right
}

fn codes(request: &Request, reply: &Reply) -> Seen {
    if !request.polls() {
        return Seen::NotMine;
    }
    match reply.status {
        200 | 400 | 401 | 404 | 410 | 412 | 414 | 422 => Seen::Right,
        _ => Seen::Wrong("200, 400, 401, 404 or 410 to a poll".to_owned()),
    }
}

fn retry_after(_: &Request, reply: &Reply) -> Seen {
    let Some(text) = reply.header("retry-after") else {
        return Seen::NotMine;
    };
    let date = jiff::fmt::rfc2822::DateTimeParser::new()
        .parse_timestamp(text)
        .is_ok();
    if text.parse::<u32>().is_ok() || date {
        Seen::Right
    } else {
        Seen::Wrong(format!("Retry-After in seconds or as a date, not {text:?}"))
    }
}

async fn unknown_instance(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let reply = world.send(instance.poll(None)).await?;
    reply.status_in(&[404], "there is no such instance")
}

async fn unknown_binding(world: &mut World) -> Check {
    world.need_bindable()?;
    let instance = world.standing().await?;
    let binding = Binding::new(&instance, &world.plan()?);
    let reply = world.send(binding.poll(None)).await?;
    reply.status_in(&[404], "there is no such binding")
}

async fn stays(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let Some(first) = instance.first.as_ref().filter(|first| first.status == 202) else {
        return Err(Stop::skip("the instance was made synchronously"));
    };
    for _ in 0..2 {
        let reply = world.send(instance.poll(first.operation())).await?;
        reply.status_in(&[200], "the operation ended a moment ago")?;
        reply.ensure(
            reply.text("state") == Some("succeeded"),
            "the state succeeded again",
        )?;
    }
    Ok(())
}

async fn binding_stays(world: &mut World) -> Check {
    world.need_bindable()?;
    let instance = world.fresh().await?;
    let binding = world.bound(&instance).await?;
    let Some(first) = binding.first.as_ref().filter(|first| first.status == 202) else {
        return Err(Stop::skip("the binding was made synchronously"));
    };
    let reply = world.send(binding.poll(first.operation())).await?;
    reply.status_in(&[200], "the operation ended a moment ago")?;
    reply.ensure(
        reply.text("state") == Some("succeeded"),
        "the state succeeded again",
    )
}

async fn no_hints(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let Some(first) = instance.first.as_ref().filter(|first| first.status == 202) else {
        return Err(Stop::skip("the instance was made synchronously"));
    };
    let request = instance
        .poll(first.operation())
        .without_query("service_id")
        .without_query("plan_id");
    let reply = world.send(request).await?;
    reply.status_in(&[200], "service_id and plan_id are hints")
}

async fn no_operation(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let first = world.send_patiently(instance.put()).await?;
    world.still_running(&first)?;
    let reply = world.send(instance.poll(None)).await?;
    if reply.status == 400 && first.operation().is_some() {
        world.note("the broker demands the operation it handed out");
        return Ok(());
    }
    reply.status_in(
        &[200],
        "there is one operation, so it is clear which one is meant",
    )
}

async fn odd_operation(world: &mut World) -> Check {
    let instance = world.standing().await?;
    for operation in ["provision", "no such operation/%", "\u{e9}\u{4e2d}"] {
        let reply = world.send(instance.poll(Some(operation))).await?;
        reply.status_in(
            &[200, 400, 404, 410],
            "the operation is unknown, the instance is not",
        )?;
    }
    let long = world.send(instance.poll(Some(&"x".repeat(9_000)))).await?;
    long.not_5xx("the operation is long, but allowed")
}

async fn synchronous(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let sync = instance
        .first
        .as_ref()
        .is_some_and(|first| first.status == 201);
    world.need(sync, "the instance was made asynchronously")?;
    let reply = world.send(instance.poll(None)).await?;
    reply.status_in(&[200, 400, 404, 410], "no operation runs")
}
