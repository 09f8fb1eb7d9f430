//! Unbind.
//!
//! The two public checkers disagree on a delete without ids: one wants 410 for an absent binding, the other 400 for an
//! existing one. Both can be had, and both pass here.

use super::sections::{SYNC, UNBIND};
use crate::case::{Case, must, own, shared};
use crate::client::Reply;
use crate::verdict::{Check, Problems, Stop};
use crate::world::{Binding, Instance, Settled, World};

const QUERY: &str =
    "service_id and plan_id are mandatory in the query; answer 400 when one is missing or empty.";

pub(super) const CASES: &[Case] = &[
    must("unbind.works", &["B60"], UNBIND).says(
        "A binding is deleted: 200 now, or 202 and last_operation ends with succeeded or 410",
        "Answer 200 with {} when it is gone, 202 when the work goes on.",
        own!(works),
    ),
    must("unbind.answer-shape", &["B60", "B25"], UNBIND).says(
        "The answer is a JSON object; operation is text of at most 10,000 characters",
        "Answer `{}` with 200, and `{\"operation\": ...}` with 202.",
        own!(answer_shape),
    ),
    must("unbind.gone", &["B60", "B63"], UNBIND).says(
        "A second delete after the first is done is answered with 410",
        "Answer 410 for bindings that do not exist any more.",
        own!(gone),
    ),
    must("unbind.repeat-in-progress", &["B60"], UNBIND).says(
        "The same DELETE again while it runs is answered with 202 and the same operation",
        "Keep the operation string and answer it again until the delete is done.",
        own!(repeat_in_progress),
    ),
    must("unbind.unknown", &["B60"], UNBIND).says(
        "An unknown binding is answered with 410",
        "Answer 410 for ids that were never made.",
        shared!(unknown),
    ),
    must("unbind.unknown-instance", &["B60", "B7"], UNBIND).says(
        "A binding of an unknown instance is answered with 410 (or 404)",
        "Answer 410: the binding does not exist.",
        own!(unknown_instance),
    ),
    must("unbind.missing-service-id", &["B60"], UNBIND).says("A DELETE of a binding without service_id is answered with 400", QUERY, own!(missing_service)),
    must("unbind.missing-plan-id", &["B60"], UNBIND).says("A DELETE of a binding without plan_id is answered with 400", QUERY, own!(missing_plan)),
    must("unbind.missing-ids-absent", &["B60", "B7"], UNBIND).says(
        "A DELETE of an absent binding without ids is answered with 410 or 400",
        "Either is fine; 410 suits both public checkers.",
        shared!(missing_ids_absent),
    ),
    must("unbind.refusal-keeps", &["B7"], UNBIND).says(
        "After a refused DELETE the binding is still there",
        "Check the query before you delete.",
        shared!(refusal_keeps),
    ),
    must("unbind.async-required", &["B21", "B60"], SYNC).says(
        "Without accepts_incomplete the binding is deleted at once (200) or the request is refused with 422 AsyncRequired",
        "Never answer 202 unless accepts_incomplete=true was sent.",
        own!(async_required),
    ),
    must("unbind.again", &["B50", "B60"], UNBIND).says(
        "An id can be used again after its binding was deleted",
        "Do not let the memory of a deleted binding block a new one.",
        own!(again),
    ),
    must("unbind.keeps-others", &["B7", "B63"], UNBIND).says(
        "The instance and its other bindings stay",
        "Delete what belongs to this binding, nothing else.",
        own!(keeps_others),
    ),
];

async fn made(world: &mut World) -> Result<Binding, Stop> {
    world.need_bindable()?;
    let instance = world.fresh().await?;
    world.bound(&instance).await
}

async fn works(world: &mut World) -> Check {
    let binding = made(world).await?;
    let (first, settled) = world.unbind(&binding).await?;
    first.status_in(&[200, 202], "the binding is there")?;
    settled.deleted("the unbind")?;
    if let Settled::Gone(_) = settled {
        world.note("last_operation ends with 410");
    }
    Ok(())
}

/// The answer to a delete.
pub(super) fn delete_answer(reply: &Reply) -> Check {
    let body = reply.object()?;
    let operation = body.get("operation");
    reply.ensure(
        operation.is_none_or(|v| v.is_null() || v.is_string()),
        "operation as text or null",
    )?;
    let length = reply.operation().map_or(0, |text| text.chars().count());
    reply.ensure(length <= 10_000, "operation with at most 10,000 characters")
}

async fn answer_shape(world: &mut World) -> Check {
    let binding = made(world).await?;
    let first = world.drop_binding(&binding).await?;
    delete_answer(&first)
}

async fn gone(world: &mut World) -> Check {
    let binding = made(world).await?;
    world.drop_binding(&binding).await?;
    let reply = world.send(binding.delete()).await?;
    reply.status_in(&[410], "the binding is deleted")
}

/// Judges a repeated delete.
pub(super) fn delete_again(first: &Reply, again: &Reply) -> Check {
    match again.status {
        410 | 200 => Ok(()),
        202 => again.ensure(
            again.operation() == first.operation(),
            format!("202 with the same operation ({:?})", first.operation()),
        ),
        _ => Err(again.fail("202 with the same operation, or 410 when it is done")),
    }
}

async fn repeat_in_progress(world: &mut World) -> Check {
    let binding = made(world).await?;
    let first = world.send_patiently(binding.delete()).await?;
    world.still_running(&first)?;
    let again = world.send(binding.delete()).await?;
    delete_again(&first, &again)?;
    world.settle(binding.poll(first.operation())).await?;
    Ok(())
}

async fn absent(world: &mut World) -> Result<Binding, Stop> {
    world.need_bindable()?;
    let instance = world.standing().await?;
    Ok(Binding::new(&instance, &world.plan()?))
}

async fn unknown(world: &mut World) -> Check {
    let binding = absent(world).await?;
    let reply = world.send(binding.delete()).await?;
    reply.status_in(&[410], "there is no such binding")
}

async fn unknown_instance(world: &mut World) -> Check {
    let plan = world.plan()?;
    let binding = Binding::new(&Instance::new(&plan), &plan);
    let reply = world.send(binding.delete()).await?;
    if reply.status == 404 {
        world.note("answered with 404 because of the instance");
        return Ok(());
    }
    reply.status_in(&[410], "there is no such binding")
}

async fn missing(world: &mut World, key: &str) -> Check {
    let binding = made(world).await?;
    let reply = world
        .send_patiently(binding.delete().without_query(key))
        .await?;
    reply.status_in(&[400], &format!("{key} is missing in the query"))?;
    let reply = world
        .send_patiently(binding.delete().set_query(key, ""))
        .await?;
    reply.status_in(&[400], &format!("{key} is empty in the query"))
}

async fn missing_service(world: &mut World) -> Check {
    missing(world, "service_id").await
}

async fn missing_plan(world: &mut World) -> Check {
    missing(world, "plan_id").await
}

async fn missing_ids_absent(world: &mut World) -> Check {
    let binding = absent(world).await?;
    let mut problems = Problems::default();
    for key in ["service_id", "plan_id"] {
        let reply = world.send(binding.delete().without_query(key)).await?;
        problems.take(reply.status_in(
            &[400, 410],
            "the binding is absent and the query is not whole",
        ))?;
        world.note(format!("{} without {key}", reply.status));
    }
    problems.done()
}

async fn refusal_keeps(world: &mut World) -> Check {
    let binding = world.standing_binding().await?;
    let reply = world
        .send_patiently(binding.delete().without_query("service_id"))
        .await?;
    world.need(
        reply.is_refusal(),
        "the broker did not refuse the request; see unbind.missing-service-id",
    )?;
    let reply = world.send_patiently(binding.put()).await?;
    reply.status_in(&[200], "the binding is still there")
}

async fn async_required(world: &mut World) -> Check {
    let binding = made(world).await?;
    let request = binding.delete().without_query("accepts_incomplete");
    let reply = world.send_patiently(request).await?;
    match reply.status {
        200 => Ok(()),
        422 => reply.word_422("AsyncRequired", "the binding cannot be deleted at once"),
        _ => Err(reply.fail("200, or 422 with the error word AsyncRequired")),
    }
}

async fn again(world: &mut World) -> Check {
    let mut binding = made(world).await?;
    world.drop_binding(&binding).await?;
    let settled = world.bind(&mut binding).await?;
    if let Some(first) = &binding.first {
        first.status_in(&[201, 202], "the id is free again")?;
    }
    settled
        .succeeded("a bind with an id that was used before")
        .map(|_| ())
}

async fn keeps_others(world: &mut World) -> Check {
    let binding = made(world).await?;
    let other = world.bound(&binding.instance.clone()).await?;
    world.drop_binding(&binding).await?;
    let reply = world.send_patiently(other.put()).await?;
    reply.status_in(&[200], "the other binding is still there")?;
    let reply = world.send_patiently(binding.instance.put()).await?;
    reply.status_in(&[200], "the instance is still there")
}
