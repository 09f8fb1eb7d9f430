//! Update: what is applied, what stays, repeats.

use super::provision::{instance_answer, repeated};
use super::sections::{SYNC, UPDATE, VENDOR};
use crate::case::{Case, must, own, should};
use crate::client::Reply;
use crate::verdict::{Check, Problems, Stop};
use crate::world::{Instance, Settled, World};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    should("update.nothing", &["B41"], UPDATE).says(
        "An update that changes nothing (service_id only) is answered with 200 or 202",
        "Answer 200 when there is nothing to do.",
        own!(nothing),
    ),
    should("update.same-plan", &["B41"], UPDATE).says(
        "An update to the plan the instance has is answered with 200 or 202",
        "Answer 200: it is no plan change, also when plan_updateable is false.",
        own!(same_plan),
    ),
    must("update.plan-change", &["B41", "B43"], UPDATE).says(
        "A plan change that the catalog allows is applied, or refused with 422 and a description",
        "Apply it, or answer 422 and say why this pair of plans is not possible.",
        own!(plan_change),
    ),
    must("update.plan-shown", &["B41", "B30"], UPDATE).says(
        "After a plan change fetch shows the new plan",
        "Store the new plan when the update succeeds.",
        own!(plan_shown),
    ),
    must("update.parameters", &["B41", "B42"], UPDATE).says(
        "An update of parameters is applied, or refused with 4xx and a description",
        "Apply parameters that fit your schema.",
        own!(parameters),
    ),
    must("update.parameters-keep-plan", &["B40"], UPDATE).says(
        "An update without plan_id keeps the plan",
        "Change only what the request names.",
        own!(parameters_keep_plan),
    ),
    must("update.plan-keeps-parameters", &["B40"], UPDATE).says(
        "An update without parameters keeps the parameters",
        "Change only what the request names.",
        own!(plan_keeps_parameters),
    ),
    must("update.context-only", &["B43"], UPDATE).says(
        "A context-only update is served where the catalog allows it",
        "Accept an update with nothing but service_id and context when allow_context_updates is true.",
        own!(context_only),
    ),
    must("update.repeat-in-progress", &["B41"], UPDATE).says(
        "The same PATCH again while it runs is answered with 202 and the same operation",
        "Keep the operation string and answer it again until the update is done.",
        own!(repeat_in_progress),
    ),
    must("update.async-required", &["B21", "B42"], SYNC).says(
        "Without accepts_incomplete the update is made at once (200) or refused with 422",
        "Never answer 202 unless accepts_incomplete=true was sent.",
        own!(async_required),
    ),
    must("update.answer-shape", &["B45", "B25", "B26"], UPDATE).says(
        "The answer is an object; dashboard_url, operation and metadata have their types",
        "Answer `{}` or an object with fields of the right types.",
        own!(answer_shape),
    ),
    must("update.unknown-fields", &["B1"], VENDOR).says(
        "Unknown fields at every level of the body are ignored",
        "Do not reject unknown JSON fields in requests.",
        own!(unknown_fields),
    ),
    must("update.previous-values", &["B7", "B41"], UPDATE).says(
        "previous_values of the older kind are accepted",
        "Ignore the deprecated fields organization_id, space_id and service_id in previous_values.",
        own!(previous_values),
    ),
    must("update.fetch-meanwhile", &["B30"], UPDATE)
        .says(
            "While an update runs, fetch answers 200 or 422 ConcurrencyError",
            "Answer the instance as it is, or 422 ConcurrencyError.",
            own!(fetch_meanwhile),
        )
        .since(14),
    must("update.poll-old-plan", &["B70"], UPDATE).says(
        "While a plan change runs, last_operation is polled with the old plan_id",
        "Accept the plan the instance had before in polls.",
        own!(poll_old_plan),
    ),
];

fn sibling(world: &World) -> Result<String, Stop> {
    let plan = world.plan()?;
    world.need(plan.updateable, "plan_updateable is false for this plan")?;
    let other = plan.siblings.first().cloned();
    other.ok_or_else(|| Stop::skip("the offering has one plan only"))
}

fn plan_change_body(instance: &Instance, other: &str) -> Value {
    json!({
        "service_id": instance.service_id,
        "plan_id": other,
        "previous_values": { "plan_id": instance.plan_id },
    })
}

/// An instance whose plan was changed. Skips when the broker refuses the change.
async fn changed(world: &mut World) -> Result<(Instance, Reply), Stop> {
    let other = sibling(world)?;
    let instance = world.fresh().await?;
    let body = plan_change_body(&instance, &other);
    let (first, settled) = world.update(&instance, &body).await?;
    if !matches!(settled, Settled::Succeeded(_)) {
        return Err(Stop::skip(
            "the plan could not be changed; see update.plan-change",
        ));
    }
    let mut changed = instance;
    changed.plan_id = other;
    world.scene.ledger.add(world.owner, &changed.resource());
    Ok((changed, first))
}

async fn nothing(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let (_, settled) = world.update(&instance, &instance.bare_update()).await?;
    settled
        .succeeded("an update that changes nothing")
        .map(|_| ())
}

async fn same_plan(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let body = plan_change_body(&instance, &instance.plan_id);
    let (_, settled) = world.update(&instance, &body).await?;
    settled.succeeded("an update to the same plan").map(|_| ())
}

async fn plan_change(world: &mut World) -> Check {
    let other = sibling(world)?;
    let instance = world.fresh().await?;
    let (first, settled) = world
        .update(&instance, &plan_change_body(&instance, &other))
        .await?;
    if first.status == 422 {
        world.note("this plan change is refused");
        let says = first
            .text("description")
            .is_some_and(|text| !text.is_empty());
        return first.ensure(says, "a description with the 422");
    }
    first.status_in(&[200, 202, 422], "the catalog allows plan changes")?;
    if let Settled::Succeeded(_) = &settled {
        let mut changed = instance.clone();
        changed.plan_id = other;
        world.scene.ledger.add(world.owner, &changed.resource());
    }
    settled.succeeded("the plan change").map(|_| ())
}

fn need_retrievable(world: &World) -> Check {
    let announced = world.plan()?.instances_retrievable;
    world.need(
        announced,
        "the offering is not instances_retrievable, so the result cannot be seen",
    )
}

async fn plan_shown(world: &mut World) -> Check {
    need_retrievable(world)?;
    let (instance, _) = changed(world).await?;
    let reply = world.send(instance.get()).await?;
    reply.status_in(&[200], "the update succeeded")?;
    let fine = reply
        .text("plan_id")
        .is_none_or(|plan| plan == instance.plan_id);
    reply.ensure(fine, format!("plan_id {:?}", instance.plan_id))
}

fn parameters_body(world: &World, instance: &Instance) -> Result<Value, Stop> {
    let mut body = instance.bare_update();
    let parameters = world.plan()?.update_parameters().unwrap_or_else(|| {
        crate::Object::from_iter([("x_conformance_update".to_owned(), json!("value"))])
    });
    body["parameters"] = Value::Object(parameters);
    Ok(body)
}

async fn parameters(world: &mut World) -> Check {
    let known = world.plan()?.update_parameters().is_some();
    let instance = world.fresh().await?;
    let body = parameters_body(world, &instance)?;
    let (first, settled) = world.update(&instance, &body).await?;
    if !known && matches!(first.status, 400 | 422) {
        world.note("the plan takes no such parameters; give some with --parameters");
        let says = first
            .text("description")
            .is_some_and(|text| !text.is_empty());
        return first.ensure(says, "a description with the refusal");
    }
    settled.succeeded("the update of parameters").map(|_| ())
}

async fn parameters_keep_plan(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = world.fresh().await?;
    let body = parameters_body(world, &instance)?;
    world.update(&instance, &body).await?;
    let reply = world.send(instance.get()).await?;
    reply.status_in(&[200], "the instance is still there")?;
    let fine = reply
        .text("plan_id")
        .is_none_or(|plan| plan == instance.plan_id);
    reply.ensure(fine, "the plan as it was: the update named none")
}

async fn plan_keeps_parameters(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = world.fresh().await?;
    let before = world.send(instance.get()).await?;
    let (first, _) = world.update(&instance, &instance.bare_update()).await?;
    world.need(
        first.is_success(),
        "the broker refuses an update that changes nothing; see update.nothing",
    )?;
    let after = world.send(instance.get()).await?;
    let same = before.field("parameters") == after.field("parameters");
    after.ensure(same, "the parameters as they were: the update named none")
}

async fn context_only(world: &mut World) -> Check {
    let allowed = world.plan()?.context_updates;
    let instance = world.fresh().await?;
    let mut body = instance.bare_update();
    body["context"] = instance.body["context"].clone();
    body["context"]["instance_name"] = json!("conformance-renamed");
    let (first, settled) = world.update(&instance, &body).await?;
    if allowed {
        return settled.succeeded("a context-only update").map(|_| ());
    }
    world.note(format!(
        "not announced in the catalog; answered with {}",
        first.status
    ));
    first.status_in(
        &[200, 202, 400, 422],
        "allow_context_updates is not set: ignored or refused",
    )
}

/// A PATCH that the broker carries out asynchronously, or a skip.
async fn running(world: &mut World) -> Result<(Instance, Value, Reply), Stop> {
    let instance = world.fresh().await?;
    let mut bodies = Vec::new();
    if let Ok(other) = sibling(world) {
        bodies.push(plan_change_body(&instance, &other));
    }
    bodies.push(parameters_body(world, &instance)?);
    bodies.push(instance.bare_update());
    for body in bodies {
        let first = world.send_patiently(instance.patch(&body)).await?;
        if first.status == 202 {
            return Ok((instance, body, first));
        }
    }
    Err(Stop::skip("no update of this plan runs asynchronously"))
}

/// How often a broker may be quicker than a repeated request.
const TRIES: usize = 3;

async fn repeat_in_progress(world: &mut World) -> Check {
    let mut tries = 0;
    loop {
        let (instance, body, first) = running(world).await?;
        let again = world.send(instance.patch(&body)).await?;
        let judged = repeated(&first, &again);
        world.settle(instance.poll(again.operation())).await?;
        tries += 1;
        // A broker that works quickly may have ended the first one before the second came.
        if judged.is_ok() || tries == TRIES {
            return judged;
        }
    }
}

async fn async_required(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let mut problems = Problems::default();
    let mut bodies = vec![parameters_body(world, &instance)?];
    if let Ok(other) = sibling(world) {
        bodies.push(plan_change_body(&instance, &other));
    }
    for body in bodies {
        let request = instance.patch(&body).without_query("accepts_incomplete");
        let reply = world.send_patiently(request).await?;
        let fine = matches!(reply.status, 200 | 400 | 422);
        problems.take(reply.ensure(
            fine,
            "200, or 422 with AsyncRequired; never 202 without accepts_incomplete=true",
        ))?;
    }
    problems.done()
}

async fn answer_shape(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let body = parameters_body(world, &instance)?;
    let first = world.send_patiently(instance.patch(&body)).await?;
    world.need(first.is_success(), "the broker refuses the update")?;
    instance_answer(&first)
}

async fn unknown_fields(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let (plain, _) = world.update(&instance, &instance.bare_update()).await?;
    world.need(
        plain.is_success(),
        "the broker refuses an update that changes nothing; see update.nothing",
    )?;
    let mut body = instance.bare_update();
    body["x_vendor"] = json!({"a": [1]});
    // A context of its own would make it a context update, which needs an announcement.
    if world.plan()?.context_updates {
        body["context"] = instance.body["context"].clone();
        body["context"]["x_vendor"] = json!("ignored");
    }
    body["previous_values"] = json!({"plan_id": instance.plan_id, "x_vendor": true});
    let (_, settled) = world.update(&instance, &body).await?;
    settled
        .succeeded("an update with unknown fields")
        .map(|_| ())
}

async fn previous_values(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let (plain, _) = world.update(&instance, &instance.bare_update()).await?;
    world.need(
        plain.is_success(),
        "the broker refuses an update that changes nothing; see update.nothing",
    )?;
    let mut body = instance.bare_update();
    body["previous_values"] = json!({
        "plan_id": instance.plan_id,
        "service_id": instance.service_id,
        "organization_id": instance.body["organization_guid"],
        "space_id": instance.body["space_guid"],
    });
    let (_, settled) = world.update(&instance, &body).await?;
    settled
        .succeeded("an update with deprecated previous_values")
        .map(|_| ())
}

async fn fetch_meanwhile(world: &mut World) -> Check {
    need_retrievable(world)?;
    let (instance, _, first) = running(world).await?;
    let reply = world.send(instance.get()).await?;
    let fine = reply.status == 200 || reply.is_busy();
    world.settle(instance.poll(first.operation())).await?;
    reply.ensure(fine, "200, or 422 with the error word ConcurrencyError")
}

async fn poll_old_plan(world: &mut World) -> Check {
    let other = sibling(world)?;
    let instance = world.fresh().await?;
    let first = world
        .send_patiently(instance.patch(&plan_change_body(&instance, &other)))
        .await?;
    world.still_running(&first)?;
    let settled = world.settle(instance.poll(first.operation())).await?;
    settled
        .succeeded("polling with the plan from before the change")
        .map(|_| ())
}
