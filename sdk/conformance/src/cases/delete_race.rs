//! Deleting what is under way (B61).

use super::sections::{BLOCKING, DEPROVISION, UNBIND};
use crate::case::{Case, must, own};
use crate::client::Reply;
use crate::verdict::{Check, Stop};
use crate::world::{Binding, Instance, World};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    must("concurrency.delete-while-creating", &["B61", "B74"], DEPROVISION).says(
        "A delete while the instance is being made is accepted and leaves nothing, or is refused with 422",
        "Halt the create, clean up, and let last_operation report the delete; or answer 422 ConcurrencyError.",
        own!(while_creating),
    ),
    must("concurrency.halted-create", &["B61"], DEPROVISION).says(
        "After a delete was accepted during create, the create does not come back",
        "Make sure that a create which ends late does not bring the instance back to life.",
        own!(halted_create),
    ),
    must("concurrency.unbind-while-binding", &["B61", "B74"], UNBIND)
        .says(
            "An unbind while the binding is being made is accepted and leaves nothing, or is refused with 422",
            "Halt the bind and clean up; or answer 422 ConcurrencyError.",
            own!(unbind_while_binding),
        )
        .since(14),
    must("concurrency.delete-while-updating", &["B74"], BLOCKING).says(
        "A delete while an update runs is accepted, or refused with 422 ConcurrencyError",
        "Let the update end or halt it, then delete; or answer 422 ConcurrencyError.",
        own!(while_updating),
    ),
    must("concurrency.bind-while-deleting", &["B74", "B7"], BLOCKING).says(
        "A bind while the instance is being deleted is refused with a 4xx",
        "Answer 422 ConcurrencyError (or 404, 410) once the delete has begun.",
        own!(bind_while_deleting),
    ),
];

/// An accepted delete ends well, or its refusal is the right one.
async fn ended(world: &mut World, instance: &Instance, reply: &Reply) -> Result<bool, Stop> {
    match reply.status {
        200 | 410 => Ok(true),
        202 => {
            let settled = world.settle(instance.poll(reply.operation())).await?;
            settled.deleted("the delete")?;
            Ok(true)
        }
        422 => {
            reply.word_422("ConcurrencyError", "another operation runs")?;
            world.note("refused with ConcurrencyError");
            Ok(false)
        }
        _ => Err(reply.fail("200, 202, or 422 with the error word ConcurrencyError")),
    }
}

async fn while_creating(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let first = world.send_patiently(instance.put()).await?;
    world.still_running(&first)?;
    let reply = world.send(instance.delete()).await?;
    if !ended(world, &instance, &reply).await? {
        let settled = world.settle(instance.poll(first.operation())).await?;
        return settled
            .succeeded("the provision, whose delete was refused")
            .map(|_| ());
    }
    let after = world.send(instance.delete()).await?;
    after.status_in(&[410], "the instance is deleted")
}

async fn halted_create(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let first = world.send_patiently(instance.put()).await?;
    world.still_running(&first)?;
    let reply = world.send(instance.delete()).await?;
    let accepted = ended(world, &instance, &reply).await?;
    world.need(
        accepted,
        "the broker refuses a delete during create, which it may",
    )?;
    if reply.status == 200 {
        let poll = world.send(instance.poll(first.operation())).await?;
        let fine = matches!(poll.status, 404 | 410) || poll.text("state") == Some("failed");
        poll.ensure(
            fine,
            "state failed (or 404, 410) for the create that a delete halted",
        )?;
    }
    tokio::time::sleep(world.scene.options.poll_floor * 4).await;
    if world.plan()?.instances_retrievable {
        let fetched = world.send(instance.get()).await?;
        fetched.status_in(&[404], "the instance was deleted while it was made")?;
    }
    let mut body = instance.body.clone();
    body["space_guid"] = json!(uuid::Uuid::new_v4().to_string());
    body["context"]["space_guid"] = body["space_guid"].clone();
    let again = world.send_patiently(instance.put_body(&body)).await?;
    again.status_in(
        &[201, 202],
        "the id is free, so a different request makes a new instance",
    )
}

async fn unbind_while_binding(world: &mut World) -> Check {
    world.need_bindable()?;
    let instance = world.fresh().await?;
    let binding = Binding::new(&instance, &world.plan()?);
    let first = world.send_patiently(binding.put()).await?;
    world.still_running(&first)?;
    let reply = world.send(binding.delete()).await?;
    match reply.status {
        200 | 410 => {}
        202 => {
            let settled = world.settle(binding.poll(reply.operation())).await?;
            settled.deleted("the unbind")?;
        }
        422 => {
            reply.word_422("ConcurrencyError", "the bind runs")?;
            world.settle(binding.poll(first.operation())).await?;
            return Ok(());
        }
        _ => return Err(reply.fail("200, 202, or 422 with the error word ConcurrencyError")),
    }
    let after = world.send(binding.delete()).await?;
    after.status_in(&[410], "the binding is deleted")
}

async fn while_updating(world: &mut World) -> Check {
    let plan = world.plan()?;
    let instance = world.fresh().await?;
    let mut body = instance.bare_update();
    if let Some(other) = plan.siblings.first().filter(|_| plan.updateable) {
        body["plan_id"] = json!(other);
    } else if let Some(parameters) = plan.update_parameters() {
        body["parameters"] = serde_json::Value::Object(parameters);
    }
    let first = world.send_patiently(instance.patch(&body)).await?;
    world.need(
        first.status == 202,
        "no update of this plan runs asynchronously",
    )?;
    let reply = world.send(instance.delete()).await?;
    if !ended(world, &instance, &reply).await? {
        let settled = world.settle(instance.poll(first.operation())).await?;
        return settled
            .succeeded("the update, whose delete was refused")
            .map(|_| ());
    }
    let after = world.send(instance.delete()).await?;
    after.status_in(&[410], "the instance is deleted")
}

async fn bind_while_deleting(world: &mut World) -> Check {
    world.need_bindable()?;
    let instance = world.fresh().await?;
    let binding = Binding::new(&instance, &world.plan()?);
    let first = world.send_patiently(instance.delete()).await?;
    world.still_running(&first)?;
    let reply = world.send(binding.put()).await?;
    world.note(format!("answered with {}", reply.status));
    let judged = reply.refused("the instance is being deleted");
    world.settle(instance.poll(first.operation())).await?;
    judged
}
