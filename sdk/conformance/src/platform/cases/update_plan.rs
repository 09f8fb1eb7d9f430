//! Changing the plan of an instance: only where the catalog allows it, and with the right ids before and after.

use super::sections::{CATALOG, UPDATE};
use crate::platform::broker::{Answer, Plans, Verb, catalog};
use crate::platform::case::{Case, must, own, should};
use crate::platform::world::{Change, Made, World};
use crate::verdict::{Check, Stop};
use serde_json::json;

const LOOK: &str = "Look at plan_updateable of the present plan first, then of the offering, before you change a plan.";

pub(super) const CASES: &[Case] = &[
    must("update.plan-change", &["P6", "P8"], UPDATE).says(
        "A plan change sends the new plan_id; afterwards the instance stands under it",
        "Send plan_id, and previous_values with the old one; use the new one from then on.",
        own!(|world| plan_change(world)),
    ),
    should("update.plan-change-alone", &["P13"], UPDATE).says(
        "A plan change without parameters sends none",
        "Do not send parameters of earlier requests again.",
        own!(|world| alone(world)),
    ),
    must("update.plan-change-failed", &["P8", "P14"], UPDATE).says(
        "After a failed plan change the instance stands under its old plan",
        "Take the new plan over only when the broker says success.",
        own!(|world| failed(world)),
    ),
    must("update.plan-not-updateable", &["P6"], CATALOG)
        .says(
            "No plan change where the plan says plan_updateable false, whatever the offering says",
            LOOK,
            own!(|world| forbidden(world)),
        )
        .with(Plans(|| {
            let plan = json!({ "plan_updateable": false });
            catalog(json!({ "plan_updateable": true }), &[plan, json!({})])
        })),
    must("update.offering-not-updateable", &["P6"], CATALOG)
        .says(
            "No plan change where the offering says plan_updateable false and the plan nothing",
            LOOK,
            own!(|world| forbidden(world)),
        )
        .with(Plans::SEALED),
    must("update.updateable-by-default", &["P6"], CATALOG)
        .says(
            "No plan change where nobody says plan_updateable: the default is false",
            LOOK,
            own!(|world| forbidden(world)),
        )
        .with(Plans(|| {
            let mut made = catalog(json!({}), &[json!({}), json!({})]);
            if let Some(offering) = made["services"][0].as_object_mut() {
                offering.remove("plan_updateable");
            }
            made
        })),
    should("update.plan-updateable", &["P6"], CATALOG)
        .says(
            "A plan that says plan_updateable true can be changed, whatever the offering says",
            LOOK,
            own!(|world| plan_change(world)),
        )
        .with(Plans(|| {
            let plan = json!({ "plan_updateable": true });
            catalog(json!({ "plan_updateable": false }), &[plan.clone(), plan])
        })),
];

async fn plan_change(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let (old, new) = (world.plan(0)?, world.plan(1)?);
    let told = world.update(&instance, Change::plan(new.clone())).await?;
    world.done(&told, "the plan change", Verb::Update)?;
    let call = world.arrived(Verb::Update, &told)?;
    if call.text("plan_id") != Some(&new.id) {
        return Err(call.fail(format!("plan_id {}", new.id), "another or none"));
    }
    let previous = call
        .field("previous_values")
        .and_then(|values| values["plan_id"].as_str());
    if previous.is_some_and(|previous| previous != old.id) {
        return Err(call.fail(format!("previous_values.plan_id {}", old.id), "another"));
    }
    stands_under(world, &instance, &new.id).await
}

/// The DELETE names this plan.
async fn stands_under(world: &mut World, instance: &Made, plan: &str) -> Check {
    let told = world.delete(instance).await?;
    world.done(&told, "the deletion afterwards", Verb::Deprovision)?;
    let call = world.arrived(Verb::Deprovision, &told)?;
    match call.asked("plan_id") {
        Some(given) if given == plan => Ok(()),
        other => Err(call.fail(
            format!("plan_id={plan}"),
            format!("plan_id={}", other.unwrap_or("")),
        )),
    }
}

async fn alone(world: &mut World) -> Check {
    let (plan, new) = (world.plan(0)?, world.plan(1)?);
    let instance = world
        .instance_of(&plan, Some(json!({ "first": 1 })))
        .await?;
    let told = world.update(&instance, Change::plan(new)).await?;
    world.done(&told, "the plan change", Verb::Update)?;
    let call = world.arrived(Verb::Update, &told)?;
    match call.field("parameters") {
        None => Ok(()),
        Some(value) if value.as_object().is_some_and(serde_json::Map::is_empty) => Ok(()),
        Some(_) => Err(call.fail("no parameters: the user gave none", "parameters")),
    }
}

async fn failed(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let (old, new) = (world.plan(0)?, world.plan(1)?);
    world.always(Verb::Update, [Answer::error(422)]);
    let told = world.update(&instance, Change::plan(new)).await?;
    world.failed(&told, "the plan change", Verb::Update)?;
    stands_under(world, &instance, &old.id).await
}

async fn forbidden(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let (old, new) = (world.plan(0)?, world.plan(1)?);
    let told = world.update(&instance, Change::plan(new)).await?;
    let changes = world.calls(Verb::Update);
    let change = changes
        .iter()
        .find(|call| call.text("plan_id").is_some_and(|plan| plan != old.id));
    match change {
        Some(call) => Err(call.fail("no plan change: the catalog forbids it", told.line())),
        None if told.is_done() => Err(Stop::failed("the platform refuses", told.line())),
        None => Ok(()),
    }
}
