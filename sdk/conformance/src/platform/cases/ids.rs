//! Ids of instances and bindings: unique, and never used again.

use super::sections::{BIND, PROVISION};
use crate::platform::broker::{Answer, Call, Verb};
use crate::platform::case::{Case, How, must, own, should};
use crate::platform::world::World;
use crate::verdict::{Check, Stop};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub(super) const CASES: &[Case] = &[
    must("ids.global", &["P7"], PROVISION).says(
        "No instance id stands for instances of two brokers",
        "Make ids so that no two are alike: use GUIDs.",
        How::All(global),
    ),
    must("ids.instances", &["P7"], PROVISION).says(
        "Instances that exist together have ids of their own",
        "Make a new GUID for every instance.",
        own!(|world| instances(world)),
    ),
    must("ids.bindings", &["P7"], BIND).says(
        "Bindings that exist together have ids of their own",
        "Make a new GUID for every binding.",
        own!(|world| bindings(world)),
    ),
    should("ids.after-deletion", &["P7"], PROVISION).says(
        "The id of a deleted instance is not used again",
        "Make a new GUID for every instance, also for one with an old name.",
        own!(|world| after_deletion(world)),
    ),
    should("ids.after-failure", &["P7"], PROVISION).says(
        "The id of an instance that failed and was cleaned up is not used again",
        "Make a new GUID when the user tries again.",
        own!(|world| after_failure(world)),
    ),
];

fn global(calls: &[Arc<Call>]) -> Check {
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for call in calls.iter().filter(|call| call.verb == Verb::Provision) {
        let service = call.text("service_id").unwrap_or_default();
        let first = seen.entry(&call.instance).or_insert(service);
        if *first != service {
            return Err(call.fail("an id of its own", "a broker has an instance with this id"));
        }
    }
    if seen.is_empty() {
        return Err(Stop::skip("no provision was seen"));
    }
    Ok(())
}

/// The ids that a kind of call was for are all different.
fn distinct(world: &World, verb: Verb, count: usize) -> Check {
    let calls = world.calls(verb);
    let id = |call: &Arc<Call>| match verb {
        Verb::Bind => call.binding.clone(),
        _ => call.instance.clone(),
    };
    let ids: HashSet<String> = calls.iter().map(id).collect();
    if ids.len() >= count {
        return Ok(());
    }
    let seen = format!("{} ids for {count}", ids.len());
    Err(match calls.last() {
        Some(call) => call.fail("an id of its own for each", seen),
        None => Stop::failed("an id of its own for each", seen),
    })
}

async fn instances(world: &mut World) -> Check {
    for _ in 0..3 {
        world.instance().await?;
    }
    distinct(world, Verb::Provision, 3)
}

async fn bindings(world: &mut World) -> Check {
    let (one, two) = (world.instance().await?, world.instance().await?);
    for instance in [&one, &one, &two] {
        world.binding(instance).await?;
    }
    distinct(world, Verb::Bind, 3)
}

async fn after_deletion(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let told = world.delete(&instance).await?;
    world.done(&told, "the deletion", Verb::Deprovision)?;
    world.instance().await?;
    distinct(world, Verb::Provision, 2)
}

async fn after_failure(world: &mut World) -> Check {
    world.always(Verb::Provision, [Answer::error(500)]);
    let told = world.create().await?;
    world.failed(&told, "the creation", Verb::Provision)?;
    let id = world.arrived(Verb::Provision, &told)?.instance.clone();
    world.until_count(Verb::Deprovision, &id, 1).await;
    world.script.soundly(Verb::Provision);
    world.instance().await?;
    distinct(world, Verb::Provision, 2)
}
