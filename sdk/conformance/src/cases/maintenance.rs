//! maintenance_info at provision, update and fetch.

use super::sections::{FETCH_INSTANCE, PROVISION, UPDATE};
use crate::case::{Case, must, once, own, shared, should};
use crate::verdict::{Check, Problems, Stop};
use crate::world::{Instance, Settled, World};
use serde_json::json;

const FIX: &str = "Compare maintenance_info.version with the catalog's and answer 422 MaintenanceInfoConflict when they differ.";

pub(super) const CASES: &[Case] = &[
    must("maintenance.provision-conflict", &["B23"], PROVISION)
        .says("A provision with another version than the catalog's is answered with 422 MaintenanceInfoConflict", FIX, own!(provision_conflict))
        .since(15),
    should("maintenance.provision-without", &["B23"], PROVISION)
        .says("A provision with a version for a plan that has none is answered with 422 MaintenanceInfoConflict", FIX, own!(provision_without))
        .since(15),
    must("maintenance.conflict-makes-nothing", &["B7", "B23"], PROVISION)
        .says("After a MaintenanceInfoConflict at provision there is no instance", "Compare versions before you make anything.", own!(makes_nothing))
        .since(15),
    must("maintenance.provision-matching", &["B23"], PROVISION)
        .says("A provision with the catalog's version is served; its description and other fields are ignored", "Compare the version only.", own!(provision_matching))
        .since(15),
    must("maintenance.provision-absent", &["B23"], PROVISION)
        .says("A provision without maintenance_info is served even if the plan has one", "maintenance_info is optional in requests.", own!(provision_absent))
        .since(15),
    must("maintenance.update-conflict", &["B23", "B42"], UPDATE)
        .says("An update to another version than the catalog's is answered with 422 MaintenanceInfoConflict", FIX, own!(update_conflict))
        .since(15),
    must("maintenance.update-matching", &["B23", "B41"], UPDATE)
        .says("An update to the catalog's version is served, or there is nothing to do", "Answer 200 when the instance has that version already.", own!(update_matching))
        .since(15),
    must("maintenance.fetch", &["B31", "B14"], FETCH_INSTANCE)
        .says("Fetch shows the version a new instance has: the catalog's", "Keep the version with the instance and answer it on fetch.", shared!(fetch))
        .since(15),
    must("maintenance.malformed", &["B7", "B22"], PROVISION)
        .says("A maintenance_info of a wrong shape is answered with 400 (or 422); never a 5xx", "Answer 400 when maintenance_info is not an object with a text `version`.", once!(malformed))
        .since(15),
];

fn version(world: &World) -> Result<String, Stop> {
    let version = world.plan()?.maintenance;
    version.ok_or_else(|| Stop::skip("the plan has no maintenance_info"))
}

fn wrong() -> serde_json::Value {
    json!({"version": "99.88.77+conformance"})
}

async fn provision_conflict(world: &mut World) -> Check {
    version(world)?;
    let mut instance = Instance::new(&world.plan()?);
    instance.body["maintenance_info"] = wrong();
    let reply = world.send(instance.put()).await?;
    reply.word_422(
        "MaintenanceInfoConflict",
        "the version is not the catalog's",
    )
}

async fn provision_without(world: &mut World) -> Check {
    let plan = world.plan()?;
    world.need(plan.maintenance.is_none(), "the plan has maintenance_info")?;
    let mut instance = Instance::new(&plan);
    instance.body["maintenance_info"] = wrong();
    let reply = world.send(instance.put()).await?;
    reply.word_422(
        "MaintenanceInfoConflict",
        "the plan has no maintenance_info",
    )
}

async fn makes_nothing(world: &mut World) -> Check {
    let mut instance = Instance::new(&world.plan()?);
    instance.body["maintenance_info"] = wrong();
    let reply = world.send(instance.put()).await?;
    world.need(reply.is_refusal(), "the broker did not refuse the version")?;
    let reply = world.send(instance.delete()).await?;
    reply.status_in(&[410], "a refused provision makes nothing")
}

async fn provision_matching(world: &mut World) -> Check {
    let version = version(world)?;
    let mut instance = Instance::new(&world.plan()?);
    instance.body["maintenance_info"] = json!({
        "version": version,
        "description": "words that need not match",
        "x_vendor": 1,
    });
    let settled = world.provision(&mut instance).await?;
    settled.succeeded("the provision").map(|_| ())
}

async fn provision_absent(world: &mut World) -> Check {
    version(world)?;
    let mut instance = Instance::new(&world.plan()?);
    if let Some(body) = instance.body.as_object_mut() {
        body.remove("maintenance_info");
    }
    let settled = world.provision(&mut instance).await?;
    settled.succeeded("the provision").map(|_| ())
}

async fn update_conflict(world: &mut World) -> Check {
    version(world)?;
    let instance = world.fresh().await?;
    let mut body = instance.bare_update();
    body["maintenance_info"] = wrong();
    let reply = world.send_patiently(instance.patch(&body)).await?;
    reply.word_422(
        "MaintenanceInfoConflict",
        "the version is not the catalog's",
    )
}

async fn update_matching(world: &mut World) -> Check {
    let version = version(world)?;
    let instance = world.fresh().await?;
    let mut body = instance.bare_update();
    body["plan_id"] = json!(instance.plan_id);
    body["maintenance_info"] = json!({"version": version});
    body["previous_values"] =
        json!({"plan_id": instance.plan_id, "maintenance_info": {"version": version}});
    let (_, settled) = world.update(&instance, &body).await?;
    settled.succeeded("the update").map(|_| ())
}

async fn fetch(world: &mut World) -> Check {
    let version = version(world)?;
    let retrievable = world.plan()?.instances_retrievable;
    world.need(retrievable, "the offering is not instances_retrievable")?;
    let instance = world.standing().await?;
    let reply = world.send(instance.get()).await?;
    match reply.field("maintenance_info") {
        None => {
            world.note("fetch does not show maintenance_info, which is optional");
            Ok(())
        }
        Some(info) => reply.ensure(
            info["version"].as_str() == Some(&version),
            format!("maintenance_info.version {version:?}"),
        ),
    }
}

async fn malformed(world: &mut World) -> Check {
    let plan = world.plan()?;
    let mut problems = Problems::default();
    for info in [
        json!([]),
        json!({}),
        json!({"version": null}),
        json!({"version": ""}),
        json!(7),
    ] {
        let mut instance = Instance::new(&plan);
        instance.body["maintenance_info"] = info.clone();
        let settled = world.provision(&mut instance).await?;
        let reply = settled.reply();
        let fine = matches!(settled, Settled::Succeeded(_)) || matches!(reply.status, 400 | 422);
        problems.take(reply.ensure(fine, format!("400 or 422 (maintenance_info is {info})")))?;
    }
    problems.done()
}
