//! Maintenance information: the version that is sent, a conflict, and an upgrade.

use super::sections::MAINTENANCE;
use crate::platform::broker::{Answer, Plans, Verb};
use crate::platform::case::{Case, must, own, should};
use crate::platform::world::{Change, World};
use crate::verdict::{Check, Stop};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    must("maintenance.version-right", &["P12"], MAINTENANCE)
        .says(
            "A maintenance_info that is sent has the version of the catalog",
            "Send the version of the catalog that you have, or nothing.",
            own!(|world| version_right(world)),
        )
        .with(Plans::MAINTAINED),
    must("maintenance.conflict", &["P12", "O6"], MAINTENANCE)
        .says(
            "422 MaintenanceInfoConflict makes the platform fetch the catalog again, and nothing is deleted",
            "Fetch the catalog again on this word, so that the next try has the new version.",
            own!(|world| conflict(world)),
        )
        .with(Plans::MAINTAINED),
    should("maintenance.upgrade", &["P6", "P12"], MAINTENANCE)
        .says(
            "An upgrade sends the new version, also where plans cannot be changed",
            "Send maintenance_info with the version of the catalog, and previous_values with the old one.",
            own!(|world| upgrade(world)),
        )
        .with(Plans::MAINTAINED),
];

const FIRST: &str = "1.0.0+verify";
const SECOND: &str = "2.0.0";

async fn version_right(world: &mut World) -> Check {
    let told = world.create().await?;
    world.done(&told, "the creation of the instance", Verb::Provision)?;
    let call = world.arrived(Verb::Provision, &told)?;
    match call.field("maintenance_info") {
        None => {
            world.note("does not send maintenance_info");
            Ok(())
        }
        Some(info) if info["version"] == FIRST => {
            world.note("sends maintenance_info");
            Ok(())
        }
        Some(_) => Err(call.fail(format!("maintenance_info.version {FIRST}"), "another")),
    }
}

async fn conflict(world: &mut World) -> Check {
    world.always(Verb::Provision, [Answer::word("MaintenanceInfoConflict")]);
    world.edit_catalog(|offering| {
        for index in 0..2 {
            offering["plans"][index]["maintenance_info"] = json!({ "version": SECOND });
        }
    });
    let told = world.create().await?;
    world.failed(&told, "the creation of the instance", Verb::Provision)?;
    let call = world.arrived(Verb::Provision, &told)?;
    let after = call.at;
    let fetched = world
        .until(|calls| {
            calls
                .iter()
                .any(|c| c.verb == Verb::Catalog && c.at > after)
                .then_some(())
        })
        .await;
    if fetched.is_none() {
        let missing = call.fail(
            "GET /v2/catalog after MaintenanceInfoConflict",
            "no such call",
        );
        world.should(Err(missing))?;
    }
    world.settle().await;
    match world.about(Verb::Deprovision, &call.instance).first() {
        None => Ok(()),
        Some(call) => Err(call.fail("no DELETE: nothing was made", "a DELETE")),
    }
}

async fn upgrade(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let info = json!({ "version": SECOND, "description": "the second" });
    world.edit_catalog(|offering| {
        for index in 0..2 {
            offering["plans"][index]["maintenance_info"] = info.clone();
        }
    });
    world.refresh().await?;
    let change = Change {
        maintenance_info: Some(json!({ "version": SECOND })),
        ..Change::default()
    };
    let told = world.update(&instance, change).await?;
    let Some(call) = world.last(Verb::Update) else {
        return Err(Stop::skip(format!("no update arrived: {}", told.line())));
    };
    world.done(&told, "the upgrade", Verb::Update)?;
    match call.field("maintenance_info") {
        Some(info) if info["version"] == SECOND => Ok(()),
        _ => Err(call.fail(
            format!("maintenance_info.version {SECOND}"),
            "another or none",
        )),
    }
}
