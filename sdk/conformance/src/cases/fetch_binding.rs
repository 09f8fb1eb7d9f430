//! Fetching a binding.

use super::sections::FETCH_BINDING;
use crate::case::{Case, must, own, shared};
use crate::verdict::{Check, Problems};
use crate::world::{Binding, Instance, World};
use serde_json::Value;

pub(super) const CASES: &[Case] = &[
    must("fetch-binding.works", &["B52"], FETCH_BINDING)
        .says(
            "A ready binding of a bindings_retrievable offering is fetched with 200",
            "Serve GET on bindings, or take bindings_retrievable out of the catalog.",
            shared!(works),
        )
        .since(14),
    must("fetch-binding.agrees", &["B52"], FETCH_BINDING)
        .says(
            "Fetch hands out the same credentials as the bind did",
            "Answer the stored credentials; do not make new ones on fetch.",
            shared!(agrees),
        )
        .since(14),
    must("fetch-binding.parameters", &["B52"], FETCH_BINDING)
        .says(
            "Parameters that fetch shows are the ones that were sent",
            "Answer the parameters the binding was made with, or none.",
            shared!(parameters),
        )
        .since(14),
    must("fetch-binding.no-hints", &["B52"], FETCH_BINDING)
        .says(
            "It can be fetched without service_id and plan_id in the query",
            "Both are hints only.",
            shared!(no_hints),
        )
        .since(14),
    must("fetch-binding.unknown", &["B54"], FETCH_BINDING)
        .says(
            "An unknown binding is answered with 404",
            "Answer 404 for ids that were never made.",
            shared!(unknown),
        )
        .since(14),
    must("fetch-binding.unknown-instance", &["B54"], FETCH_BINDING)
        .says(
            "A binding of an unknown instance is answered with 404",
            "Look the instance up, too.",
            shared!(unknown_instance),
        )
        .since(14),
    must("fetch-binding.while-creating", &["B54"], FETCH_BINDING)
        .says(
            "A binding that is still being made is answered with 404",
            "Answer 404 until last_operation says succeeded.",
            own!(while_creating),
        )
        .since(14),
    must("fetch-binding.after-unbind", &["B54"], FETCH_BINDING)
        .says(
            "A deleted binding is answered with 404",
            "Answer 404 once the unbind succeeded.",
            own!(after_unbind),
        )
        .since(14),
];

fn need_retrievable(world: &World) -> Check {
    world.need_bindable()?;
    let announced = world.plan()?.bindings_retrievable;
    world.need(announced, "the offering is not bindings_retrievable")
}

async fn works(world: &mut World) -> Check {
    need_retrievable(world)?;
    let binding = world.standing_binding().await?;
    let reply = world.send(binding.get()).await?;
    reply.status_in(&[200], "the catalog says bindings_retrievable")?;
    reply.object().map(|_| ())
}

async fn agrees(world: &mut World) -> Check {
    need_retrievable(world)?;
    let binding = world.standing_binding().await?;
    let first = world.handed_out(&binding).await?;
    let mut problems = Problems::default();
    for _ in 0..2 {
        let reply = world.send(binding.get()).await?;
        for key in [
            "credentials",
            "syslog_drain_url",
            "route_service_url",
            "volume_mounts",
        ] {
            let same = reply.field(key) == first.field(key);
            problems.take(reply.ensure(same, format!("{key} as at bind")))?;
        }
    }
    problems.done()
}

async fn parameters(world: &mut World) -> Check {
    need_retrievable(world)?;
    let binding = world.standing_binding().await?;
    let reply = world.send(binding.get()).await?;
    let Some(shown) = reply.field("parameters") else {
        world.note("fetch shows no parameters, which is allowed");
        return Ok(());
    };
    reply.ensure(shown.is_object(), "parameters as an object")?;
    for (key, value) in shown.as_object().into_iter().flatten() {
        let sent: Option<&Value> = binding.body["parameters"].get(key);
        reply.ensure(
            sent.is_none_or(|sent| sent == value),
            format!("parameters.{key} as it was sent"),
        )?;
    }
    Ok(())
}

async fn no_hints(world: &mut World) -> Check {
    need_retrievable(world)?;
    let binding = world.standing_binding().await?;
    let request = binding
        .get()
        .without_query("service_id")
        .without_query("plan_id");
    let reply = world.send(request).await?;
    reply.status_in(&[200], "service_id and plan_id are hints")
}

async fn unknown(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = world.standing().await?;
    let binding = Binding::new(&instance, &world.plan()?);
    let reply = world.send(binding.get()).await?;
    reply.status_in(&[404], "there is no such binding")
}

async fn unknown_instance(world: &mut World) -> Check {
    need_retrievable(world)?;
    let binding = world.standing_binding().await?;
    let elsewhere = Binding {
        instance: Instance::new(&world.plan()?),
        ..binding
    };
    let reply = world.send(elsewhere.get()).await?;
    reply.status_in(&[404], "the binding belongs to another instance")
}

async fn while_creating(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = world.fresh().await?;
    let binding = Binding::new(&instance, &world.plan()?);
    let first = world.send_patiently(binding.put()).await?;
    world.still_running(&first)?;
    let reply = world.send(binding.get()).await?;
    let poll = world.send(binding.poll(first.operation())).await?;
    let done = poll.text("state") != Some("in progress");
    world.settle(binding.poll(first.operation())).await?;
    if reply.status == 200 && done {
        return world.need(false, "the binding was ready before it could be fetched");
    }
    reply.status_in(&[404], "the binding is still being made")
}

async fn after_unbind(world: &mut World) -> Check {
    need_retrievable(world)?;
    let instance = world.fresh().await?;
    let binding = world.bound(&instance).await?;
    world.drop_binding(&binding).await?;
    let reply = world.send(binding.get()).await?;
    reply.status_in(&[404], "the binding is deleted")
}
