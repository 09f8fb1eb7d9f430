//! Queries: repeated keys, empty values, nonsense.

use super::sections::{DEPROVISION, PROVISION, URLS};
use crate::case::{Case, must, once, own, should};
use crate::request::segment;
use crate::verdict::{Check, Problems};
use crate::world::{Instance, Settled, World};

pub(super) const CASES: &[Case] = &[
    should("query.repeated-key", &["B60"], DEPROVISION).says(
        "A DELETE whose query names service_id and plan_id twice, alike, works",
        "Take the first of repeated keys; one public checker sends them twice.",
        own!(repeated_key),
    ),
    must("query.repeated-different", &["B7"], DEPROVISION).says(
        "Repeated keys with different values are no 5xx",
        "Take the first of repeated keys, or answer 400.",
        once!(repeated_different),
    ),
    must("query.unknown-key", &["B1"], PROVISION).says(
        "Unknown query keys are ignored",
        "Do not reject query keys that you do not know.",
        own!(unknown_key),
    ),
    must("query.nonsense", &["B7"], URLS).says(
        "A query that cannot be decoded is no 5xx",
        "Answer 400, or ignore the broken part.",
        once!(nonsense),
    ),
    must("query.long", &["B7"], URLS).says(
        "A query of 8 kB is no 5xx",
        "Answer 414 or 400, or ignore what you do not know.",
        once!(long),
    ),
];

async fn repeated_key(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let (service, plan) = (segment(&instance.service_id), segment(&instance.plan_id));
    let request = instance.delete().raw_query(format!(
        "service_id={service}&plan_id={plan}&service_id={service}&plan_id={plan}&accepts_incomplete=true"
    ));
    let reply = world.send_patiently(request).await?;
    reply.status_in(&[200, 202], "both values are the same")?;
    if reply.status == 202 {
        let settled = world.settle(instance.poll(reply.operation())).await?;
        settled.deleted("the deprovision")?;
    }
    Ok(())
}

async fn repeated_different(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let (service, plan) = (segment(&instance.service_id), segment(&instance.plan_id));
    let mut problems = Problems::default();
    for query in [
        format!("service_id={service}&service_id=other&plan_id={plan}&accepts_incomplete=true"),
        format!(
            "service_id={service}&plan_id={plan}&accepts_incomplete=true&accepts_incomplete=false"
        ),
    ] {
        let reply = world.send(instance.delete().raw_query(query)).await?;
        problems.take(reply.status_in(
            &[400, 410, 422],
            "the instance is unknown and the query says two things",
        ))?;
    }
    problems.done()
}

async fn unknown_key(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let request = instance.put().query("x_vendor", "1").query("debug", "");
    let reply = world.send_patiently(request).await?;
    reply.status_in(&[200, 201, 202], "unknown query keys are ignored")?;
    if reply.status == 202 {
        let settled = world.settle(instance.poll(reply.operation())).await?;
        if let Settled::Failed(reply) | Settled::Odd(reply) = settled {
            return Err(reply.fail("the provision to succeed"));
        }
    }
    Ok(())
}

async fn nonsense(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let mut problems = Problems::default();
    for query in [
        "%zz",
        "%",
        "service_id=%FF%FE&plan_id=%00",
        "&&&===&",
        "service_id",
        "a[b]=c&a[]=d",
        "?",
    ] {
        let reply = world.send(instance.delete().raw_query(query)).await?;
        problems.take(reply.status_in(
            &[400, 410, 422],
            "the query is nonsense and the instance unknown",
        ))?;
        let reply = world.send(instance.poll(None).raw_query(query)).await?;
        problems.take(reply.not_5xx("the query is nonsense"))?;
    }
    problems.done()
}

async fn long(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let request = instance.delete().query("x_vendor", &"q".repeat(8_192));
    let reply = world.send(request).await?;
    reply.not_5xx("a long query is the caller's fault")
}
