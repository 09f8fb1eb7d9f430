//! How a platform takes catalogs. A catalog that is refused fails these cases by itself.

use super::sections::{CATALOG, VENDOR};
use crate::platform::broker::{Plans, Verb, catalog};
use crate::platform::case::{Case, must, own, should};
use crate::platform::driver::State;
use crate::platform::world::World;
use crate::verdict::{Check, Stop};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    must("catalog.fetched", &["P1", "P4"], CATALOG).says(
        "A broker that is made known is asked for its catalog, and its plans can be used",
        "Fetch GET /v2/catalog below the broker's URL, path prefix included.",
        own!(|world| usable(world, 0)),
    ),
    must("catalog.unknown-fields", &["P4"], VENDOR)
        .says(
            "Unknown fields anywhere in a catalog are ignored",
            "Read the fields you know and let the others be.",
            own!(|world| usable(world, 0)),
        )
        .with(Plans(unknown_fields)),
    should("catalog.long-texts", &["P5"], CATALOG)
        .says(
            "Texts of more than 255 characters are taken, cut off or whole",
            "Store descriptions as text without a limit, or cut them off; do not refuse the catalog.",
            own!(|world| usable(world, 0)),
        )
        .with(Plans(long_texts)),
    must("catalog.case-sensitive", &["P4"], CATALOG)
        .says(
            "Plans whose names differ only in capitals are two plans",
            "Compare names as they are.",
            own!(|world| usable(world, 1)),
        )
        .with(Plans(|| {
            catalog(json!({}), &[json!({ "name": "size" }), json!({ "name": "Size" })])
        })),
    must("catalog.by-id", &["P4"], CATALOG).says(
        "An offering and a plan under new names are still the same when their ids are",
        "Match catalog entries by id and by nothing else.",
        own!(|world| by_id(world)),
    ),
    should("catalog.conditional", &["P16"], CATALOG).says(
        "A platform that fetches the catalog conditionally understands 304",
        "Keep the ETag with the catalog you have, and keep that catalog on 304.",
        own!(|world| conditional(world)),
    ),
    must("catalog.schemas", &["P5"], CATALOG)
        .says(
            "Schemas of draft-04 and later are taken, and parameters that fit them pass",
            "Judge parameters by the draft that $schema names; when you cannot, let them pass.",
            own!(|world| schemas(world)),
        )
        .with(Plans(with_schemas)),
];

/// A plan of the catalog can be used.
async fn usable(world: &mut World, index: usize) -> Check {
    if world.calls(Verb::Catalog).is_empty() {
        return Err(Stop::failed("GET /v2/catalog arrives", "no such call"));
    }
    let plan = world.plan(index)?;
    let told = world.create_with(&plan, None).await?;
    world.done(&told, "the creation of an instance", Verb::Provision)?;
    let call = world.arrived(Verb::Provision, &told)?;
    if call.text("plan_id") == Some(&plan.id) {
        Ok(())
    } else {
        Err(call.fail(format!("plan_id {}", plan.id), "another plan"))
    }
}

fn unknown_fields() -> Value {
    let strange = json!({ "deep": [{ "er": null }], "number": 7 });
    let plan = json!({
        "x_vendor": strange.clone(),
        "schemas": { "x_vendor": true, "service_instance": { "x_vendor": 1 } },
        "metadata": { "x_vendor": strange.clone(), "costs": [] },
    });
    let offering =
        json!({ "x_vendor": strange.clone(), "metadata": { "x_vendor": strange.clone() } });
    let mut catalog = catalog(offering, &[plan]);
    catalog["x_vendor"] = strange;
    catalog
}

fn long_texts() -> Value {
    let long = "long words ".repeat(100);
    let metadata = json!({ "displayName": long, "longDescription": long });
    let plan = json!({ "description": long, "metadata": metadata });
    catalog(
        json!({ "description": long, "metadata": metadata, "tags": [long] }),
        &[plan],
    )
}

fn with_schemas() -> Value {
    let drafts = [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2020-12/schema",
    ];
    let plans = drafts.map(|draft| {
        let schema = json!({
            "$schema": draft,
            "type": "object",
            "properties": { "size": { "type": "integer", "minimum": 1, "maximum": 3 } },
            "required": ["size"],
        });
        json!({ "schemas": { "service_instance": { "create": { "parameters": schema } } } })
    });
    catalog(json!({}), &plans)
}

async fn by_id(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let plan = world.plan(0)?;
    world.edit_catalog(|offering| {
        let name = format!(
            "{}-renamed",
            offering["name"].as_str().unwrap_or("offering")
        );
        offering["name"] = json!(name);
        offering["plans"][0]["name"] = json!("renamed");
    });
    world.refresh().await?;
    let told = world.delete(&instance).await?;
    world.done(
        &told,
        "the deletion of an instance of a renamed plan",
        Verb::Deprovision,
    )?;
    let call = world.arrived(Verb::Deprovision, &told)?;
    if call.asked("plan_id") == Some(&plan.id) && call.asked("service_id") == Some(&plan.service_id)
    {
        Ok(())
    } else {
        Err(call.fail("the same ids as before the new names", "other ids"))
    }
}

async fn conditional(world: &mut World) -> Check {
    let first = world.calls(Verb::Catalog).len();
    world.refresh().await?;
    let again = world.calls(Verb::Catalog);
    let again = again.get(first..).unwrap_or_default();
    if again.is_empty() {
        return Err(Stop::skip("the platform did not fetch the catalog again"));
    }
    if again.iter().any(|call| call.status == Some(304)) {
        world.note("fetches the catalog conditionally");
    } else {
        world.note("fetches the whole catalog each time");
    }
    usable(world, 0).await
}

async fn schemas(world: &mut World) -> Check {
    for index in 0..4 {
        let plan = world.plan(index)?;
        let told = world.create_with(&plan, Some(json!({ "size": 2 }))).await?;
        world.done(
            &told,
            "a creation with parameters that fit",
            Verb::Provision,
        )?;
    }
    let before = world.calls(Verb::Provision).len();
    let plan = world.plan(0)?;
    let told = world.create_with(&plan, Some(json!({ "size": 9 }))).await?;
    let called = world.calls(Verb::Provision).len() > before;
    world.note(match (called, told.state) {
        (false, State::Refused) => "refuses parameters that do not fit before it calls the broker",
        (false, _) => "fails on parameters that do not fit without calling the broker",
        (true, _) => "leaves judging parameters to the broker",
    });
    Ok(())
}
