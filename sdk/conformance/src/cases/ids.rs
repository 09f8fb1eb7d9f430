//! Ids are opaque: odd characters, odd lengths, case.

use super::sections::URLS;
use crate::case::{Case, must, once, own, should};
use crate::verdict::{Check, Problems};
use crate::world::{Binding, Instance, Settled, World};

const FIX: &str =
    "Split the path at `/` first and percent-decode each segment by itself; do not demand UUIDs.";

pub(super) const CASES: &[Case] = &[
    should("ids.plain-word", &["B10"], URLS).says(
        "An id that is not a UUID works",
        FIX,
        once!(plain_word),
    ),
    should("ids.slash", &["B10"], URLS).says(
        "An id with an encoded slash works",
        FIX,
        once!(slash),
    ),
    should("ids.percent", &["B10"], URLS).says(
        "An id with an encoded percent sign works, and is decoded once",
        FIX,
        once!(percent),
    ),
    should("ids.blank", &["B10"], URLS).says(
        "An id with a blank, a plus and reserved characters works",
        FIX,
        once!(blank),
    ),
    should("ids.unicode", &["B10"], URLS).says("An id beyond ASCII works", FIX, once!(unicode)),
    should("ids.dots", &["B10"], URLS).says(
        "An id of two dots works, or is refused; it never walks up the path",
        FIX,
        once!(dots),
    ),
    should("ids.long", &["B10"], URLS).says(
        "An id of 200 characters works",
        "Leave room for long ids in your store.",
        once!(long),
    ),
    must("ids.very-long", &["B7"], URLS).says(
        "An id of 4,000 characters works or is refused with a 4xx; never a 5xx",
        "Answer 400 or 414.",
        once!(very_long),
    ),
    must("ids.nul", &["B7"], URLS).says(
        "Encoded control characters and broken encodings in an id are no 5xx",
        "Answer 400 for ids you cannot store.",
        once!(nul),
    ),
    should("ids.case", &["B10"], URLS).says(
        "Ids that differ in case only are two instances",
        "Compare ids byte by byte.",
        own!(case),
    ),
    should("ids.lookalike", &["B10"], URLS).says(
        "An id that looks like a sub-path (`x/last_operation`) is an id",
        FIX,
        once!(lookalike),
    ),
    should("ids.binding", &["B10"], URLS).says(
        "A binding id with encoded characters works",
        FIX,
        own!(binding),
    ),
];

/// Brings an instance with this id up and down again.
async fn lifecycle(world: &mut World, id: &str) -> Check {
    let mut instance = Instance::new(&world.plan()?).with_id(id);
    let settled = world.provision(&mut instance).await?;
    let expected = format!("a provision with the id {id:?}");
    settled.succeeded(&expected)?;
    let again = world.send_patiently(instance.put()).await?;
    again.status_in(&[200], "the instance is found again under its id")?;
    if world.plan()?.instances_retrievable {
        let reply = world.send(instance.get()).await?;
        reply.status_in(&[200], "the instance is found again under its id")?;
    }
    let (_, settled) = world.deprovision(&instance).await?;
    settled
        .deleted(&format!("a deprovision with the id {id:?}"))
        .map(|_| ())
}

/// A part that makes ids of different runs differ.
fn salt() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

async fn plain_word(world: &mut World) -> Check {
    lifecycle(world, &format!("my-database-{}", salt())).await
}

async fn slash(world: &mut World) -> Check {
    lifecycle(world, &format!("a/b/{}", salt())).await
}

async fn percent(world: &mut World) -> Check {
    let id = format!("50%25-%2F-{}", salt());
    lifecycle(world, &id).await
}

async fn blank(world: &mut World) -> Check {
    lifecycle(world, &format!("a b+c?d#e&f=g;h:i@j {}", salt())).await
}

async fn unicode(world: &mut World) -> Check {
    lifecycle(world, &format!("naïve-数据库-🐘-{}", salt())).await
}

async fn long(world: &mut World) -> Check {
    lifecycle(world, &format!("{}-{}", "l".repeat(167), salt())).await
}

async fn lookalike(world: &mut World) -> Check {
    lifecycle(world, &format!("{}/last_operation", salt())).await?;
    lifecycle(world, &format!("{}/service_bindings/b", salt())).await
}

async fn dots(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?).with_id("..");
    let reply = world.send(instance.poll(None)).await?;
    reply.status_in(&[404, 400, 410], "there is no instance with the id `..`")?;
    let binding = Binding::new(&instance, &world.plan()?).with_id("..");
    let reply = world.send(binding.delete()).await?;
    reply.status_in(&[410, 404, 400], "there is no binding with the id `..`")
}

async fn very_long(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?).with_id("v".repeat(4_000));
    let reply = world.send(instance.put()).await?;
    reply.not_5xx("a long id is the caller's fault")?;
    world.note(format!("answered with {}", reply.status));
    let reply = world.send(instance.poll(None)).await?;
    reply.not_5xx("a long id is the caller's fault")
}

async fn nul(world: &mut World) -> Check {
    let mut problems = Problems::default();
    for raw in ["%00", "a%0D%0Ab", "%FF%FE", "%zz", "%"] {
        for sub in ["", "/last_operation"] {
            let request = crate::Request::get(format!("/v2/service_instances/{raw}{sub}"));
            let exchanged = world.exchange(&request).await;
            if let Some(reply) = exchanged.reply {
                problems.take(reply.not_5xx("a broken id is the caller's fault"))?;
            } else {
                problems.add("an answer", exchanged.exchange.received.line());
            }
        }
    }
    problems.done()
}

async fn case(world: &mut World) -> Check {
    let id = format!("case-{}", salt());
    let lower = world
        .bring_up(Instance::new(&world.plan()?).with_id(id.clone()))
        .await?;
    let mut upper = Instance::new(&world.plan()?).with_id(id.to_uppercase());
    let settled = world.provision(&mut upper).await?;
    if let Settled::Refused(reply) = &settled {
        return Err(reply.fail("a new instance: the id differs from the other one in case"));
    }
    world.tear_down(&upper).await?;
    let reply = world.send_patiently(lower.put()).await?;
    reply.status_in(&[200], "the other instance is untouched")
}

async fn binding(world: &mut World) -> Check {
    world.need_bindable()?;
    let instance = world.fresh().await?;
    let id = format!("b/%41 é-{}", salt());
    let mut binding = Binding::new(&instance, &world.plan()?).with_id(id);
    let settled = world.bind(&mut binding).await?;
    settled.succeeded("a bind with an odd id")?;
    let again = world.send_patiently(binding.put()).await?;
    again.status_in(&[200], "the binding is found again under its id")?;
    let (_, settled) = world.unbind(&binding).await?;
    settled.deleted("an unbind with an odd id").map(|_| ())
}
