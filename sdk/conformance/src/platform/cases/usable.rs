//! What a platform makes of instance_usable and update_repeatable.

use super::sections::ERRORS;
use crate::platform::broker::{Answer, Verb};
use crate::platform::case::{Case, own, should};
use crate::platform::world::{Change, Made, World};
use crate::verdict::{Check, Stop};
use serde_json::{Value, json};

const REFUSE: &str =
    "Keep instance_usable with the instance and refuse new bindings until it is repaired.";

pub(super) const CASES: &[Case] = &[
    should("usable.default", &["P14"], ERRORS).says(
        "After a failed update that says nothing the instance is still usable",
        "Assume true where instance_usable is absent.",
        own!(|world| still_usable(world)),
    ),
    should("usable.false", &["P14"], ERRORS).says(
        "After an error that says instance_usable false there are no new bindings",
        REFUSE,
        own!(|world| unusable(world)),
    ),
    should("usable.false-polled", &["P14"], ERRORS).says(
        "After a last_operation that says instance_usable false there are no new bindings",
        REFUSE,
        own!(|world| unusable_polled(world)),
    ),
    should("usable.not-repeatable", &["P14"], ERRORS).says(
        "An update that says update_repeatable false is not tried again",
        "Do not repeat it by yourself.",
        own!(|world| not_repeatable(world)),
    ),
];

fn failure(fields: Value) -> Answer {
    let mut body = json!({ "error": "Scripted", "description": "as the case wants it" });
    if let (Some(body), Value::Object(fields)) = (body.as_object_mut(), fields) {
        body.extend(fields);
    }
    Answer::json(500, &body)
}

/// An instance whose update has failed.
async fn damaged(world: &mut World) -> Result<Made, Stop> {
    let instance = world.instance().await?;
    let change = Change::parameters(json!({ "verify": 2 }));
    let told = world.update(&instance, change).await?;
    world.failed(&told, "the update", Verb::Update)?;
    Ok(instance)
}

async fn still_usable(world: &mut World) -> Check {
    world.always(Verb::Update, [failure(json!({}))]);
    let instance = damaged(world).await?;
    let told = world.bind(&instance).await?;
    world.done(&told, "a bind after a failed update", Verb::Bind)
}

async fn no_bind(world: &mut World, instance: &Made) -> Check {
    let told = world.bind(instance).await?;
    match world.last(Verb::Bind) {
        None => Ok(()),
        Some(call) => Err(call.fail("no bind: the instance is not usable", told.line())),
    }
}

async fn unusable(world: &mut World) -> Check {
    world.always(Verb::Update, [failure(json!({ "instance_usable": false }))]);
    let instance = damaged(world).await?;
    no_bind(world, &instance).await
}

async fn unusable_polled(world: &mut World) -> Check {
    world.always(Verb::Update, [Answer::accepted("an update")]);
    let failed = json!({ "state": "failed", "description": "it broke", "instance_usable": false });
    world.always(Verb::Poll, [Answer::json(200, &failed)]);
    let instance = damaged(world).await?;
    no_bind(world, &instance).await
}

async fn not_repeatable(world: &mut World) -> Check {
    world.always(
        Verb::Update,
        [failure(json!({ "update_repeatable": false }))],
    );
    let instance = damaged(world).await?;
    world.settle().await;
    match world.about(Verb::Update, &instance.id).get(1) {
        None => Ok(()),
        Some(call) => Err(call.fail("no repetition", "the same update again")),
    }
}
