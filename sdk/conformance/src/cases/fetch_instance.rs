//! Fetching an instance.

use super::provision::instance_answer;
use super::sections::FETCH_INSTANCE;
use crate::case::{Case, must, once, own, shared};
use crate::verdict::{Check, Problems};
use crate::world::{Instance, World};
use serde_json::Value;

pub(super) const CASES: &[Case] = &[
    must("fetch-instance.works", &["B30"], FETCH_INSTANCE)
        .says("A ready instance of an instances_retrievable offering is fetched with 200", "Serve GET /v2/service_instances/{id} for every plan of the offering, or take instances_retrievable out of the catalog.", shared!(works))
        .since(14),
    must("fetch-instance.at-once", &["B30"], FETCH_INSTANCE)
        .says("It can be fetched at once after the provision succeeded", "Make the instance visible before last_operation says succeeded.", own!(at_once))
        .since(14),
    must("fetch-instance.agrees", &["B30"], FETCH_INSTANCE)
        .says("service_id and plan_id are those of the instance", "Answer the ids the instance was made with.", shared!(agrees))
        .since(14),
    must("fetch-instance.shape", &["B30", "B26"], FETCH_INSTANCE)
        .says("The fields have their types", "Check the types of dashboard_url, parameters, maintenance_info and metadata.", shared!(shape))
        .since(14),
    must("fetch-instance.parameters", &["B31"], FETCH_INSTANCE)
        .says("Parameters that fetch shows are the ones that were sent", "Answer the parameters in force; leave out what is sensitive.", shared!(parameters))
        .since(14),
    must("fetch-instance.no-hints", &["B30"], FETCH_INSTANCE)
        .says("It can be fetched without service_id and plan_id in the query", "Both are hints only.", shared!(no_hints))
        .since(14),
    must("fetch-instance.unknown", &["B30"], FETCH_INSTANCE)
        .says("An unknown instance is answered with 404", "Answer 404 for ids that were never made.", own!(unknown))
        .since(14),
    must("fetch-instance.while-creating", &["B30"], FETCH_INSTANCE)
        .says("An instance that is still being made is answered with 404", "Answer 404 until last_operation says succeeded.", own!(while_creating))
        .since(14),
    must("fetch-instance.after-delete", &["B30"], FETCH_INSTANCE)
        .says("A deleted instance is answered with 404", "Answer 404 once the delete succeeded.", own!(after_delete))
        .since(14),
    must("fetch-instance.unannounced", &["B7"], FETCH_INSTANCE)
        .says("GET on an instance is never a 5xx, also when the catalog does not announce it", "Answer 404 for endpoints you do not offer.", once!(unannounced)),
];

fn need_retrievable(world: &World) -> Check {
    let announced = world.plan()?.instances_retrievable;
    world.need(announced, "the offering is not instances_retrievable")
}

async fn works(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = world.standing().await?;
    let reply = world.send(instance.get()).await?;
    reply.status_in(&[200], "the catalog says instances_retrievable")?;
    reply.object().map(|_| ())
}

async fn at_once(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = world.fresh().await?;
    let reply = world.send(instance.get()).await?;
    reply.status_in(&[200], "the provision just succeeded")
}

async fn agrees(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = world.standing().await?;
    let reply = world.send(instance.get()).await?;
    let mut problems = Problems::default();
    for (key, own) in [
        ("service_id", &instance.service_id),
        ("plan_id", &instance.plan_id),
    ] {
        let shown = reply.field(key);
        let fine = shown.is_none() || shown.and_then(Value::as_str) == Some(own);
        problems.take(reply.ensure(fine, format!("{key} {own:?}")))?;
        if shown.is_none() {
            world.note(format!("{key} is not shown, which is allowed"));
        }
    }
    problems.done()
}

async fn shape(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = world.standing().await?;
    let reply = world.send(instance.get()).await?;
    instance_answer(&reply)?;
    for key in ["parameters", "maintenance_info"] {
        let fine = reply.field(key).is_none_or(Value::is_object);
        reply.ensure(fine, format!("{key} as an object"))?;
    }
    Ok(())
}

async fn parameters(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = world.standing().await?;
    let reply = world.send(instance.get()).await?;
    let Some(shown) = reply.field("parameters").and_then(Value::as_object) else {
        world.note("fetch shows no parameters, which is allowed");
        return Ok(());
    };
    let sent = &instance.body["parameters"];
    for (key, value) in shown {
        // A broker may show defaults for what was not sent; what was sent must not change.
        if let Some(sent) = sent.get(key) {
            reply.ensure(value == sent, format!("parameters.{key} as it was sent"))?;
        }
    }
    Ok(())
}

async fn no_hints(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = world.standing().await?;
    let request = instance
        .get()
        .without_query("service_id")
        .without_query("plan_id");
    let reply = world.send(request).await?;
    reply.status_in(&[200], "service_id and plan_id are hints")
}

async fn unknown(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = Instance::new(&world.plan()?);
    let reply = world.send(instance.get()).await?;
    reply.status_in(&[404], "there is no such instance")
}

async fn while_creating(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = Instance::new(&world.plan()?);
    let first = world.send_patiently(instance.put()).await?;
    world.still_running(&first)?;
    let reply = world.send(instance.get()).await?;
    if reply.status == 200 {
        // The work may have ended between the two calls; then 200 is right.
        let poll = world.send(instance.poll(first.operation())).await?;
        let done = poll.text("state") != Some("in progress");
        world
            .need(done, "")
            .map_err(|_| reply.fail("404 while last_operation says in progress"))?;
        return world.need(false, "the instance was ready before it could be fetched");
    }
    reply.status_in(&[404], "the instance is still being made")
}

async fn after_delete(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = world.fresh().await?;
    world.tear_down(&instance).await?;
    let reply = world.send(instance.get()).await?;
    reply.status_in(&[404], "the instance is deleted")
}

async fn unannounced(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let reply = world.send(instance.get()).await?;
    reply.not_5xx("an unknown instance is the caller's fault")
}
