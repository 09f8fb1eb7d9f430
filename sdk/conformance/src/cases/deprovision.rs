//! Deprovision.

use super::sections::{DEPROVISION, POLL_INSTANCE, SYNC};
use super::unbind::{delete_again, delete_answer};
use crate::case::{Case, must, own, shared};
use crate::verdict::Check;
use crate::world::{Instance, Settled, World};

const QUERY: &str =
    "service_id and plan_id are mandatory in the query; answer 400 when one is missing or empty.";

pub(super) const CASES: &[Case] = &[
    must("deprovision.works", &["B60"], DEPROVISION).says(
        "An instance is deleted: 200 now, or 202 and last_operation ends with succeeded or 410",
        "Answer 200 with {} when it is gone, 202 when the work goes on.",
        own!(works),
    ),
    must("deprovision.answer-shape", &["B60", "B25"], DEPROVISION).says(
        "The answer is a JSON object; operation is text of at most 10,000 characters",
        "Answer `{}` with 200, and `{\"operation\": ...}` with 202.",
        own!(answer_shape),
    ),
    must("deprovision.gone", &["B60"], DEPROVISION).says(
        "A second delete after the first is done is answered with 410",
        "Answer 410 for instances that do not exist any more.",
        own!(gone),
    ),
    must("deprovision.repeat-in-progress", &["B60"], DEPROVISION).says(
        "The same DELETE again while it runs is answered with 202 and the same operation",
        "Keep the operation string and answer it again until the delete is done.",
        own!(repeat_in_progress),
    ),
    must("deprovision.unknown", &["B60"], DEPROVISION).says(
        "An unknown instance is answered with 410",
        "Answer 410 for ids that were never made.",
        own!(unknown),
    ),
    must("deprovision.missing-service-id", &["B60"], DEPROVISION).says("A DELETE without service_id is answered with 400", QUERY, own!(missing_service)),
    must("deprovision.missing-plan-id", &["B60"], DEPROVISION).says("A DELETE without plan_id is answered with 400", QUERY, own!(missing_plan)),
    must("deprovision.missing-ids-absent", &["B60", "B7"], DEPROVISION).says(
        "A DELETE of an absent instance without ids is answered with 400 (or 410)",
        "Check the query first: 400.",
        own!(missing_ids_absent),
    ),
    must("deprovision.refusal-keeps", &["B7"], DEPROVISION).says(
        "After a refused DELETE the instance is still there",
        "Check the query before you delete.",
        shared!(refusal_keeps),
    ),
    must("deprovision.async-required", &["B21", "B60"], SYNC).says(
        "Without accepts_incomplete the instance is deleted at once (200) or the request is refused with 422 AsyncRequired",
        "Never answer 202 unless accepts_incomplete=true was sent.",
        own!(async_required),
    ),
    must("deprovision.again", &["B20", "B60"], DEPROVISION).says(
        "An id can be used again after its instance was deleted",
        "Do not let the memory of a deleted instance block a new one.",
        own!(again),
    ),
    must("deprovision.poll-after", &["B70", "B71"], POLL_INSTANCE).says(
        "After an asynchronous delete, last_operation says succeeded or 410 (never 404, never in progress)",
        "Keep the outcome of the delete for a while; answer 200 succeeded or 410.",
        own!(poll_after),
    ),
    must("deprovision.with-bindings", &["B62", "B7"], DEPROVISION).says(
        "A delete while bindings remain is carried out or refused with a 4xx; a refusal changes nothing",
        "Answer 422 with a description, or delete the bindings with the instance.",
        own!(with_bindings),
    ),
    must("deprovision.keeps-others", &["B7"], DEPROVISION).says(
        "Other instances stay",
        "Delete what belongs to this instance, nothing else.",
        own!(keeps_others),
    ),
];

async fn works(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let (first, settled) = world.deprovision(&instance).await?;
    first.status_in(&[200, 202], "the instance is there")?;
    settled.deleted("the deprovision")?;
    if let Settled::Gone(_) = settled {
        world.note("last_operation ends with 410");
    }
    Ok(())
}

async fn answer_shape(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let first = world.tear_down(&instance).await?;
    delete_answer(&first)
}

async fn gone(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    world.tear_down(&instance).await?;
    let reply = world.send(instance.delete()).await?;
    reply.status_in(&[410], "the instance is deleted")
}

async fn repeat_in_progress(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let first = world.send_patiently(instance.delete()).await?;
    world.still_running(&first)?;
    let again = world.send(instance.delete()).await?;
    delete_again(&first, &again)
}

async fn unknown(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let reply = world.send(instance.delete()).await?;
    reply.status_in(&[410], "there is no such instance")
}

async fn missing(world: &mut World, key: &str) -> Check {
    let instance = world.fresh().await?;
    let reply = world
        .send_patiently(instance.delete().without_query(key))
        .await?;
    reply.status_in(&[400], &format!("{key} is missing in the query"))?;
    let reply = world
        .send_patiently(instance.delete().set_query(key, ""))
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
    let instance = Instance::new(&world.plan()?);
    for key in ["service_id", "plan_id"] {
        let reply = world.send(instance.delete().without_query(key)).await?;
        reply.status_in(
            &[400, 410],
            "the instance is absent and the query is not whole",
        )?;
        world.note(format!("{} without {key}", reply.status));
    }
    Ok(())
}

async fn refusal_keeps(world: &mut World) -> Check {
    let instance = world.standing().await?;
    let reply = world
        .send_patiently(instance.delete().without_query("plan_id"))
        .await?;
    world.need(
        reply.is_refusal(),
        "the broker did not refuse the request; see deprovision.missing-plan-id",
    )?;
    let reply = world.send_patiently(instance.put()).await?;
    reply.status_in(&[200], "the instance is still there")
}

async fn async_required(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let request = instance.delete().without_query("accepts_incomplete");
    let reply = world.send_patiently(request).await?;
    match reply.status {
        200 => Ok(()),
        422 => reply.word_422("AsyncRequired", "the instance cannot be deleted at once"),
        _ => Err(reply.fail("200, or 422 with the error word AsyncRequired")),
    }
}

async fn again(world: &mut World) -> Check {
    let mut instance = world.fresh().await?;
    world.tear_down(&instance).await?;
    let settled = world.provision(&mut instance).await?;
    if let Some(first) = &instance.first {
        first.status_in(&[201, 202], "the id is free again")?;
    }
    settled
        .succeeded("a provision with an id that was used before")
        .map(|_| ())
}

async fn poll_after(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let first = world.tear_down(&instance).await?;
    world.still_running(&first)?;
    let reply = world.send(instance.poll(first.operation())).await?;
    let succeeded = reply.status == 200 && reply.text("state") == Some("succeeded");
    world.note(if succeeded { "200 succeeded" } else { "410" });
    reply.ensure(
        succeeded || reply.status == 410,
        "200 with state succeeded, or 410",
    )
}

async fn with_bindings(world: &mut World) -> Check {
    world.need_bindable()?;
    let instance = world.fresh().await?;
    let binding = world.bound(&instance).await?;
    let (first, settled) = world.deprovision(&instance).await?;
    if first.is_success() {
        world.note("the instance is deleted with its bindings");
        return settled.deleted("the deprovision").map(|_| ());
    }
    first.refused("bindings remain")?;
    world.note(format!("refused with {}", first.status));
    let reply = world.send_patiently(binding.put()).await?;
    reply.status_in(&[200], "the refused delete left the binding alone")
}

async fn keeps_others(world: &mut World) -> Check {
    let one = world.fresh().await?;
    let other = world.fresh().await?;
    world.tear_down(&one).await?;
    let reply = world.send_patiently(other.put()).await?;
    reply.status_in(&[200], "the other instance is still there")
}
