//! Several requests at once on the same thing: never two different truths.

use super::sections::{BIND, BLOCKING, PROVISION};
use crate::case::{Case, must, own};
use crate::client::Reply;
use crate::verdict::{Check, Problems, Stop};
use crate::world::{Binding, Instance, Settled, World};
use serde_json::json;

const ATOMIC: &str =
    "Decide on create, repeat and conflict in one transaction or under one lock per id.";

pub(super) const CASES: &[Case] = &[
    must("concurrency.same-provision", &["B20", "B74"], PROVISION).says(
        "Of several identical PUTs at once at most one answers 201, and all 202 name the same operation",
        ATOMIC,
        own!(same_provision),
    ),
    must("concurrency.different-provision", &["B20", "B74"], PROVISION).says(
        "Of two different PUTs at once only one succeeds; the other is refused with 409 or 422",
        ATOMIC,
        own!(different_provision),
    ),
    must("concurrency.same-bind", &["B50", "B74"], BIND).says(
        "Of several identical binds at once at most one answers 201, and credentials are the same",
        ATOMIC,
        own!(same_bind),
    ),
    must("concurrency.different-bind", &["B50", "B74"], BIND).says(
        "Of two binds with other parameters at once only one succeeds; the other is refused with 409, 422 or 400",
        ATOMIC,
        own!(different_bind),
    ),
    must("concurrency.parallel-binds", &["B58", "B74"], BIND).says(
        "Binds with different ids at once succeed or are refused with 422 ConcurrencyError",
        "Serve them side by side, or answer 422 ConcurrencyError; platforms try again.",
        own!(parallel_binds),
    ),
    must("concurrency.bind-while-creating", &["B74", "B7"], BLOCKING).says(
        "A bind while the instance is being made is refused with a 4xx or waits; never a 5xx",
        "Answer 422 ConcurrencyError until the instance is ready.",
        own!(bind_while_creating),
    ),
    must("concurrency.update-while-creating", &["B74", "B42"], BLOCKING).says(
        "An update while the instance is being made is refused with a 4xx or queued; never a 5xx",
        "Answer 422 ConcurrencyError until the instance is ready.",
        own!(update_while_creating),
    ),
    must("concurrency.same-delete", &["B60", "B74"], BLOCKING).says(
        "Several DELETEs at once: 200, 202 with one operation, 410 or 422 ConcurrencyError; then it is gone",
        ATOMIC,
        own!(same_delete),
    ),
    must("concurrency.update-twice", &["B41", "B74"], BLOCKING).says(
        "Two identical updates at once: 200, 202 with one operation, or 422",
        ATOMIC,
        own!(update_twice),
    ),
];

/// Every 202 names the same operation, and at most one answer says 201.
fn one_truth(replies: &[Reply], problems: &mut Problems) -> Check {
    let created = replies.iter().filter(|reply| reply.status == 201).count();
    if created > 1 {
        problems.add("at most one 201", format!("{created} answers with 201"));
    }
    let accepted: Vec<&Reply> = replies.iter().filter(|reply| reply.status == 202).collect();
    if let [first, rest @ ..] = accepted.as_slice() {
        for reply in rest {
            problems.take(reply.ensure(
                reply.operation() == first.operation(),
                format!("the operation of the other 202 ({:?})", first.operation()),
            ))?;
        }
    }
    Ok(())
}

async fn same_provision(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let replies = world.at_once(vec![instance.put(); 6]).await?;
    let mut problems = Problems::default();
    for reply in &replies {
        let fine = matches!(reply.status, 200..=202) || reply.is_busy();
        problems.take(reply.ensure(fine, "200, 201, 202 or 422 ConcurrencyError"))?;
    }
    one_truth(&replies, &mut problems)?;
    let some = replies.iter().any(Reply::is_success);
    if !some {
        problems.add(
            "at least one success",
            "none of six identical requests succeeded",
        );
    }
    problems.done()
}

async fn different_provision(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let mut body = instance.body.clone();
    let other = json!(uuid::Uuid::new_v4().to_string());
    body["space_guid"] = other.clone();
    body["context"]["space_guid"] = other;
    let pair = vec![instance.put(), instance.put_body(&body)];
    let replies = world.at_once(pair).await?;
    let mut problems = Problems::default();
    let successes = replies.iter().filter(|reply| reply.is_success()).count();
    if successes != 1 {
        problems.add(
            "exactly one success",
            format!("{successes} of 2 different requests succeeded"),
        );
    }
    for reply in replies.iter().filter(|reply| !reply.is_success()) {
        let fine = reply.status == 409 || reply.is_busy();
        problems.take(reply.ensure(
            fine,
            "409, or 422 ConcurrencyError, for the one that came second",
        ))?;
    }
    problems.done()
}

async fn same_bind(world: &mut World) -> Check {
    world.need_bindable()?;
    let instance = world.fresh().await?;
    let binding = Binding::new(&instance, &world.plan()?);
    let replies = world.at_once(vec![binding.put(); 4]).await?;
    let mut problems = Problems::default();
    for reply in &replies {
        let fine = matches!(reply.status, 200..=202) || reply.is_busy();
        problems.take(reply.ensure(fine, "200, 201, 202 or 422 ConcurrencyError"))?;
    }
    one_truth(&replies, &mut problems)?;
    let handed: Vec<&Reply> = replies
        .iter()
        .filter(|reply| reply.field("credentials").is_some())
        .collect();
    if let [first, rest @ ..] = handed.as_slice() {
        for reply in rest {
            let same = reply.field("credentials") == first.field("credentials");
            problems.take(reply.ensure(same, "the same credentials in every answer"))?;
        }
    }
    settle_binding(world, &binding, &replies).await?;
    problems.done()
}

/// Waits for a binding whose answers came at once, so that cleaning up finds it at rest.
async fn settle_binding(world: &mut World, binding: &Binding, replies: &[Reply]) -> Check {
    if let Some(accepted) = replies.iter().find(|reply| reply.status == 202) {
        world.settle(binding.poll(accepted.operation())).await?;
    }
    Ok(())
}

async fn different_bind(world: &mut World) -> Check {
    world.need_bindable()?;
    let Some(other) = world.plan()?.other_bind_parameters() else {
        return Err(Stop::skip(
            "the plan's schema leaves no room for other parameters",
        ));
    };
    let instance = world.fresh().await?;
    let binding = Binding::new(&instance, &world.plan()?);
    let mut body = binding.body.clone();
    body["parameters"] = serde_json::Value::Object(other);
    let pair = vec![binding.put(), binding.put_body(&body)];
    let replies = world.at_once(pair).await?;
    settle_binding(world, &binding, &replies).await?;
    let mut problems = Problems::default();
    let successes = replies.iter().filter(|reply| reply.is_success()).count();
    if successes != 1 {
        problems.add(
            "exactly one success",
            format!("{successes} of 2 different requests succeeded"),
        );
    }
    for reply in replies.iter().filter(|reply| !reply.is_success()) {
        let fine = matches!(reply.status, 400 | 409) || reply.is_busy();
        problems.take(reply.ensure(fine, "409, 400 or 422 ConcurrencyError for the other one"))?;
    }
    problems.done()
}

async fn parallel_binds(world: &mut World) -> Check {
    world.need_bindable()?;
    let instance = world.fresh().await?;
    let plan = world.plan()?;
    let bindings: Vec<Binding> = (0..4).map(|_| Binding::new(&instance, &plan)).collect();
    let requests = bindings.iter().map(Binding::put).collect();
    let replies = world.at_once(requests).await?;
    let mut problems = Problems::default();
    for (binding, reply) in bindings.iter().zip(&replies) {
        let fine = matches!(reply.status, 201 | 202) || reply.is_busy();
        problems.take(reply.ensure(fine, "201, 202 or 422 ConcurrencyError"))?;
        if reply.is_busy() {
            world.note("parallel binds are refused with ConcurrencyError");
        }
        if reply.status == 202 {
            let settled = world.settle(binding.poll(reply.operation())).await?;
            problems.take(
                settled
                    .succeeded("one of several binds at once")
                    .map(|_| ()),
            )?;
        }
    }
    let handed: Vec<&Reply> = replies.iter().filter(|reply| reply.status == 201).collect();
    problems.take(distinct(&handed))?;
    problems.done()
}

/// Answers to different bindings are allowed to share credentials, but each must have some.
fn distinct(handed: &[&Reply]) -> Check {
    for reply in handed {
        let some = [
            "credentials",
            "syslog_drain_url",
            "route_service_url",
            "volume_mounts",
        ];
        reply.ensure(
            some.iter().any(|key| reply.field(key).is_some()),
            "credentials in every 201",
        )?;
    }
    Ok(())
}

async fn creating(world: &mut World) -> Result<(Instance, Reply), Stop> {
    let instance = Instance::new(&world.plan()?);
    let first = world.send_patiently(instance.put()).await?;
    world.still_running(&first)?;
    Ok((instance, first))
}

async fn bind_while_creating(world: &mut World) -> Check {
    world.need_bindable()?;
    let (instance, first) = creating(world).await?;
    let binding = Binding::new(&instance, &world.plan()?);
    let reply = world.send(binding.put()).await?;
    world.note(format!("answered with {}", reply.status));
    let judged = reply.not_5xx("the instance is not ready, which is the caller's matter");
    let settled = world.settle(instance.poll(first.operation())).await?;
    judged?;
    settled
        .succeeded("the provision, in spite of the early bind")
        .map(|_| ())
}

async fn update_while_creating(world: &mut World) -> Check {
    let (instance, first) = creating(world).await?;
    let reply = world.send(instance.patch(&instance.bare_update())).await?;
    world.note(format!("answered with {}", reply.status));
    let judged = reply.not_5xx("the instance is not ready, which is the caller's matter");
    let settled = world.settle(instance.poll(first.operation())).await?;
    judged?;
    settled
        .succeeded("the provision, in spite of the early update")
        .map(|_| ())
}

async fn same_delete(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let replies = world.at_once(vec![instance.delete(); 4]).await?;
    let mut problems = Problems::default();
    for reply in &replies {
        let fine = matches!(reply.status, 200 | 202 | 410) || reply.is_busy();
        problems.take(reply.ensure(fine, "200, 202, 410 or 422 ConcurrencyError"))?;
    }
    one_truth(&replies, &mut problems)?;
    if let Some(accepted) = replies.iter().find(|reply| reply.status == 202) {
        let settled = world.settle(instance.poll(accepted.operation())).await?;
        problems.take(settled.deleted("the deprovision").map(|_| ()))?;
    }
    let after = world.send_patiently(instance.delete()).await?;
    problems.take(after.status_in(&[410], "the instance is deleted"))?;
    problems.done()
}

async fn update_twice(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let body = instance.bare_update();
    let replies = world.at_once(vec![instance.patch(&body); 2]).await?;
    let mut problems = Problems::default();
    for reply in &replies {
        let fine = matches!(reply.status, 200 | 202 | 422 | 400);
        problems.take(reply.ensure(fine, "200, 202 or 422"))?;
    }
    one_truth(&replies, &mut problems)?;
    if let Some(accepted) = replies.iter().find(|reply| reply.status == 202) {
        let settled = world.settle(instance.poll(accepted.operation())).await?;
        if let Settled::Odd(reply) | Settled::Failed(reply) = settled {
            problems.take(Err(reply.fail("the update to succeed")))?;
        }
    }
    problems.done()
}
