//! Provision: the codes of a good request, its repeats and its conflicts.

use super::sections::{PROVISION, SYNC, VENDOR};
use crate::case::{Case, must, own, shared};
use crate::client::Reply;
use crate::plan::Plan;
use crate::verdict::{Check, Problems, Stop};
use crate::world::{Instance, Settled, World};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    must("provision.works", &["B20"], PROVISION).says(
        "A new instance is made: 201 now, or 202 and last_operation ends with succeeded",
        "Answer 201 when the instance is there, 202 when the work goes on; give this plan's parameters with --parameters if it needs some.",
        own!(works),
    ),
    must("provision.answer-shape", &["B24", "B25", "B26"], PROVISION).says(
        "The answer is an object; dashboard_url, operation and metadata have their types",
        "dashboard_url is a URL or null, operation a text of at most 10,000 characters, metadata has objects labels and attributes.",
        shared!(answer_shape),
    ),
    must("provision.async-required", &["B21"], SYNC).says(
        "Without accepts_incomplete the instance is made at once (201) or refused with 422 AsyncRequired",
        "Never answer 202 unless accepts_incomplete=true was sent; answer 422 AsyncRequired when the plan needs time.",
        own!(async_required),
    ),
    must("provision.async-false", &["B21"], SYNC).says(
        "accepts_incomplete=false means the same as leaving it out",
        "Read the value of accepts_incomplete, not its presence.",
        own!(async_false),
    ),
    must("provision.repeat-identical", &["B20"], PROVISION).says(
        "The same PUT again, when the instance is ready, is answered with 200",
        "Compare the request with the one that made the instance; answer 200 when they are equal.",
        shared!(repeat_identical),
    ),
    must("provision.repeat-reordered", &["B20"], PROVISION).says(
        "The same PUT with its keys in another order and other white space is still the same",
        "Compare parsed JSON, not bytes.",
        shared!(repeat_reordered),
    ),
    must("provision.repeat-in-progress", &["B20"], PROVISION).says(
        "The same PUT again while it runs is answered with 202 and the same operation",
        "Keep the operation string with the instance and answer it again.",
        own!(repeat_in_progress),
    ),
    must("provision.conflict-place", &["B20"], PROVISION).says(
        "A PUT for an existing id with another organization or space is answered with 409",
        "Compare organization_guid and space_guid with the stored ones and answer 409.",
        shared!(conflict_place),
    ),
    must("provision.conflict-plan", &["B20"], PROVISION).says(
        "A PUT for an existing id with another plan is answered with 409",
        "Compare plan_id with the stored one and answer 409.",
        shared!(conflict_plan),
    ),
    must("provision.conflict-parameters", &["B20"], PROVISION).says(
        "A PUT for an existing id with other parameters is answered with 409",
        "Compare parameters with the stored ones and answer 409.",
        shared!(conflict_parameters),
    ),
    must("provision.conflict-in-progress", &["B20", "B74"], PROVISION).says(
        "A different PUT while the first one runs is answered with 409 (or 422 ConcurrencyError)",
        "Compare with the request that is under way and answer 409.",
        own!(conflict_in_progress),
    ),
    must("provision.conflict-changes-nothing", &["B7", "B20"], PROVISION).says(
        "After a 409 the instance is what it was before",
        "Decide on the conflict before writing anything.",
        shared!(conflict_changes_nothing),
    ),
    must("provision.unknown-fields", &["B1"], VENDOR).says(
        "Unknown fields at every level of the body are ignored",
        "Do not reject unknown JSON fields in requests.",
        own!(unknown_fields),
    ),
    must("provision.kubernetes-context", &["B22"], PROVISION).says(
        "An instance can be made with the context of Kubernetes",
        "Do not demand Cloud Foundry fields inside `context`.",
        own!(kubernetes_context),
    ),
    must("provision.no-context", &["B22"], PROVISION).says(
        "An instance can be made without context",
        "`context` is optional; organization_guid and space_guid stand at the top level.",
        own!(no_context),
    ),
    must("provision.dashboard-first", &["B24"], PROVISION).says(
        "A dashboard URL that fetch shows stood in the first answer, too",
        "Send dashboard_url with the 201 or 202 already.",
        shared!(dashboard_first),
    ),
];

async fn works(world: &mut World) -> Check {
    let mut instance = Instance::new(&world.plan()?);
    let settled = world.provision(&mut instance).await?;
    if let Some(first) = &instance.first {
        first.status_in(&[201, 202], "a new instance is made")?;
    }
    settled.succeeded("the provision")?;
    Ok(())
}

async fn answer_shape(world: &mut World) -> Check {
    let instance = world.standing().await?;
    let Some(reply) = instance.first else {
        return Err(Stop::skip("the first answer is not known"));
    };
    instance_answer(&reply)
}

/// The fields of an answer to provision or update.
pub(super) fn instance_answer(reply: &Reply) -> Check {
    let body = reply.object()?;
    let mut problems = Problems::default();
    let text_or_null = |key: &str| body.get(key).is_none_or(|v| v.is_null() || v.is_string());
    problems.take(reply.ensure(
        text_or_null("dashboard_url"),
        "dashboard_url as text or null",
    ))?;
    problems.take(reply.ensure(text_or_null("operation"), "operation as text or null"))?;
    let length = reply.operation().map_or(0, |text| text.chars().count());
    problems.take(reply.ensure(
        length <= quartermaster_osb::operation::MAX_OPERATION_CHARS,
        "operation with at most 10,000 characters",
    ))?;
    if let Some(url) = reply.text("dashboard_url") {
        let is_url = url
            .parse::<http::Uri>()
            .is_ok_and(|uri| uri.scheme().is_some());
        problems.take(reply.ensure(is_url, "dashboard_url as an absolute URL"))?;
    }
    if let Some(metadata) = reply.field("metadata") {
        problems.take(reply.ensure(metadata.is_object(), "metadata as an object"))?;
        for key in ["labels", "attributes"] {
            let fine = metadata
                .get(key)
                .is_none_or(|v| v.is_null() || v.is_object());
            problems.take(reply.ensure(fine, format!("metadata.{key} as an object")))?;
        }
    }
    problems.done()
}

/// Judges a provision that was sent without leave to take time.
async fn impatient(world: &mut World, instance: &Instance, reply: &Reply) -> Check {
    match reply.status {
        201 => Ok(()),
        422 => {
            reply.word_422("AsyncRequired", "the plan cannot be made at once")?;
            world.note("this plan is made asynchronously only");
            let after = world.send(instance.delete()).await?;
            after.status_in(&[410], "a refused provision makes nothing")
        }
        _ => Err(reply.fail("201, or 422 with the error word AsyncRequired")),
    }
}

async fn async_required(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let request = instance.put().without_query("accepts_incomplete");
    let reply = world.send_patiently(request).await?;
    impatient(world, &instance, &reply).await
}

async fn async_false(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let request = instance.put().set_query("accepts_incomplete", "false");
    let reply = world.send_patiently(request).await?;
    impatient(world, &instance, &reply).await
}

async fn repeat_identical(world: &mut World) -> Check {
    let instance = world.standing().await?;
    let reply = world.send(instance.put()).await?;
    reply.status_in(&[200], "the instance is there and the request is the same")?;
    reply.object()?;
    let first = instance
        .first
        .as_ref()
        .and_then(|first| first.text("dashboard_url"));
    let again = reply.text("dashboard_url");
    reply.ensure(
        again.is_none() || again == first,
        "the same dashboard_url as in the first answer",
    )
}

/// The same JSON with keys in reverse order and spread over lines.
fn reordered(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort();
            let fields: Vec<String> = keys
                .into_iter()
                .rev()
                .map(|key| format!("{}\n : {}", Value::from(key.as_str()), reordered(&map[key])))
                .collect();
            format!("{{\n  {}\n}}", fields.join(" ,\n  "))
        }
        other => other.to_string(),
    }
}

async fn repeat_reordered(world: &mut World) -> Check {
    let instance = world.standing().await?;
    let request = instance.put().bytes(reordered(&instance.body));
    let reply = world.send(request).await?;
    reply.status_in(
        &[200],
        "the instance is there and the request means the same",
    )
}

/// Judges a repeat of a request that was answered with 202.
pub(super) fn repeated(first: &Reply, again: &Reply) -> Check {
    match again.status {
        200 => Ok(()),
        202 => again.ensure(
            again.operation() == first.operation(),
            format!("202 with the same operation ({:?})", first.operation()),
        ),
        _ => Err(again.fail("202 with the same operation, or 200 when it is done")),
    }
}

async fn repeat_in_progress(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let first = world.send_patiently(instance.put()).await?;
    first.status_in(&[201, 202], "a new instance is made")?;
    world.still_running(&first)?;
    let mut problems = Problems::default();
    for _ in 0..2 {
        let again = world.send(instance.put()).await?;
        problems.take(repeated(&first, &again))?;
    }
    problems.done()
}

async fn conflict(world: &mut World, change: impl FnOnce(&mut Value)) -> Check {
    let instance = world.standing().await?;
    let mut body = instance.body.clone();
    change(&mut body);
    let reply = world.send(instance.put_body(&body)).await?;
    reply.status_in(
        &[409],
        "the id is taken by an instance with other attributes",
    )
}

fn elsewhere(body: &mut Value, key: &str) {
    let other = json!(uuid::Uuid::new_v4().to_string());
    body[key] = other.clone();
    body["context"][key] = other;
}

async fn conflict_place(world: &mut World) -> Check {
    conflict(world, |body| elsewhere(body, "organization_guid")).await?;
    conflict(world, |body| elsewhere(body, "space_guid")).await
}

fn sibling(plan: &Plan) -> Result<String, Stop> {
    let other = plan.siblings.first().cloned();
    other.ok_or_else(|| Stop::skip("the offering has one plan only"))
}

async fn conflict_plan(world: &mut World) -> Check {
    let other = sibling(&world.plan()?)?;
    conflict(world, |body| {
        body["plan_id"] = json!(other);
        if let Some(body) = body.as_object_mut() {
            body.remove("maintenance_info");
        }
    })
    .await
}

async fn conflict_parameters(world: &mut World) -> Check {
    let Some(other) = world.plan()?.other_provision_parameters() else {
        return Err(Stop::skip(
            "the plan's schema leaves no room for other parameters",
        ));
    };
    let instance = world.standing().await?;
    let mut body = instance.body.clone();
    body["parameters"] = Value::Object(other);
    let reply = world.send(instance.put_body(&body)).await?;
    if reply.status == 400 {
        world.note("the broker refuses the parameters themselves with 400");
        return Ok(());
    }
    reply.status_in(
        &[409],
        "the id is taken by an instance with other parameters",
    )
}

async fn conflict_in_progress(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let first = world.send_patiently(instance.put()).await?;
    world.still_running(&first)?;
    let mut body = instance.body.clone();
    elsewhere(&mut body, "space_guid");
    let reply = world.send(instance.put_body(&body)).await?;
    if reply.is_busy() {
        world.note("answered with ConcurrencyError");
        return Ok(());
    }
    reply.status_in(&[409], "the id is in creation with other attributes")
}

async fn conflict_changes_nothing(world: &mut World) -> Check {
    let instance = world.standing().await?;
    let before = world.send(instance.get()).await?;
    let mut body = instance.body.clone();
    elsewhere(&mut body, "space_guid");
    world.send(instance.put_body(&body)).await?;
    let again = world.send(instance.put()).await?;
    again.status_in(&[200], "the first request still describes the instance")?;
    if world.plan()?.instances_retrievable && before.status == 200 {
        let after = world.send(instance.get()).await?;
        after.ensure(
            after.json == before.json,
            "the same instance as before the refused PUT",
        )?;
    }
    Ok(())
}

/// Makes an instance with a changed body and takes it down again.
async fn made_with(world: &mut World, change: impl FnOnce(&mut Value)) -> Check {
    let mut instance = Instance::new(&world.plan()?);
    change(&mut instance.body);
    let settled = world.provision(&mut instance).await?;
    if let Settled::Refused(reply) = &settled {
        return Err(reply.fail("201 or 202"));
    }
    settled.succeeded("the provision")?;
    Ok(())
}

async fn unknown_fields(world: &mut World) -> Check {
    made_with(world, |body| {
        body["x_vendor_text"] = json!("ignored");
        body["x_vendor_tree"] = json!({"a": [1, {"b": null}]});
        body["context"]["x_vendor"] = json!(["ignored"]);
        if body["maintenance_info"].is_object() {
            body["maintenance_info"]["x_vendor"] = json!(true);
        }
    })
    .await
}

async fn kubernetes_context(world: &mut World) -> Check {
    made_with(world, |body| {
        body["context"] = json!({
            "platform": "kubernetes",
            "namespace": "conformance",
            "clusterid": "8263feae-9f7a-11e7-abc4-cec278b6b50a",
            "instance_name": "conformance",
            "namespace_annotations": {"example.com/a": "b"},
            "instance_annotations": {},
        });
    })
    .await
}

async fn no_context(world: &mut World) -> Check {
    made_with(world, |body| {
        if let Some(body) = body.as_object_mut() {
            body.remove("context");
        }
    })
    .await
}

async fn dashboard_first(world: &mut World) -> Check {
    let retrievable = world.plan()?.instances_retrievable;
    world.need(
        retrievable,
        "the offering is not instances_retrievable, so nothing can be compared",
    )?;
    let instance = world.standing().await?;
    let fetched = world.send(instance.get()).await?;
    let first = instance
        .first
        .as_ref()
        .and_then(|first| first.text("dashboard_url"));
    match fetched.text("dashboard_url") {
        None => Ok(()),
        shown => fetched.ensure(
            shown == first,
            format!("the dashboard_url of the first answer ({first:?})"),
        ),
    }
}
