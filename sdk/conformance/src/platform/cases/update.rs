//! Updating: what is sent, what is kept, and the rows of the orphan-mitigation table. Nothing that goes wrong with an
//! update is a reason to delete the instance.

use super::rows::{update, update_polled};
use super::sections::{ORPHANS, UPDATE};
use crate::platform::broker::{Answer, Plans, Verb};
use crate::platform::case::{Case, must, own, should};
use crate::platform::world::{Change, World};
use crate::verdict::{Check, Stop};
use serde_json::json;

const STAY: &str = "Count the update as failed and leave the instance as it was; never delete it.";
const DASHBOARD: &str = "Change the stored dashboard URL only when the answer has a new one.";

pub(super) const CASES: &[Case] = &[
    must("update.parameters", &["P13", "P4"], UPDATE).says(
        "New parameters arrive as the user gave them, with the service_id", "Send PATCH with service_id and the given parameters.",
        own!(|world| parameters(world)),
    ),
    should("update.only-given", &["P13"], UPDATE).says(
        "An update sends only the parameters that were given for it", "Do not send parameters of earlier requests again.",
        own!(|world| only_given(world)),
    ),
    must("update.parameters-without-plan-change", &["P6"], UPDATE).says(
        "Parameters of an instance whose plan cannot be changed are updated without changing the plan",
        "Leave plan_id out, or send the present one.",
        own!(|world| without_plan_change(world)),
    ).with(Plans::SEALED),
    must("update.dashboard-absent", &["P15"], UPDATE).says(
        "An update whose answer has no dashboard_url keeps the old one", DASHBOARD,
        own!(|world| dashboard(world, Answer::json(200, &json!({})), None)),
    ),
    must("update.dashboard-null", &["P15"], UPDATE).says(
        "An update whose answer has a null dashboard_url keeps the old one", DASHBOARD,
        own!(|world| dashboard(world, Answer::json(200, &json!({ "dashboard_url": null })), None)),
    ),
    must("update.dashboard-new", &["P15"], UPDATE).says(
        "An update whose answer has another dashboard_url changes it", DASHBOARD,
        own!(|world| dashboard(world, Answer::json(200, &json!({ "dashboard_url": NEW })), Some(NEW))),
    ),
    must("update.unknown-fields", &["P4"], UPDATE).says(
        "Unknown fields in the answer are ignored", "Read the fields you know and let the others be.",
        own!(|world| unknown_fields(world)),
    ),
    must("update.200-malformed", &["O1"], ORPHANS).says(
        "200 with a malformed body is a failure; the instance stays", STAY,
        own!(|world| update(world, Answer::malformed(200))),
    ),
    must("update.204", &["O4"], ORPHANS).says(
        "204 is a failure; the instance stays", STAY,
        own!(|world| update(world, Answer::raw(204, ""))),
    ),
    must("update.206", &["O4"], ORPHANS).says(
        "206 is a failure; the instance stays", STAY,
        own!(|world| update(world, Answer::json(206, &json!({})))),
    ),
    must("update.400", &["O6"], ORPHANS).says(
        "400 is a refusal; the instance stays", STAY,
        own!(|world| update(world, Answer::error(400))),
    ),
    must("update.408", &["O5"], ORPHANS).says(
        "408 is a failure; the instance stays", STAY,
        own!(|world| update(world, Answer::error(408))),
    ),
    must("update.422", &["O6"], ORPHANS).says(
        "422 is a refusal; the instance stays", STAY,
        own!(|world| update(world, Answer::error(422))),
    ),
    must("update.500", &["O4"], ORPHANS).says(
        "500 is a failure; the instance stays", STAY,
        own!(|world| update(world, Answer::error(500))),
    ),
    must("update.timeout", &["O9", "P17"], ORPHANS).says(
        "No answer in time is a failure; the instance stays", STAY,
        own!(|world| update(world, Answer::never())),
    ),
    must("update.poll-failed", &["O4", "P9"], ORPHANS).says(
        "A poll that says failed is a failure; the instance stays", STAY,
        own!(|world| update_polled(world)),
    ),
];

const NEW: &str = "https://dashboard.example/new";

async fn parameters(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let given = json!({ "size": 2, "nested": { "list": [1, null, "ü"] } });
    let told = world
        .update(&instance, Change::parameters(given.clone()))
        .await?;
    world.done(&told, "an update of parameters", Verb::Update)?;
    let call = world.arrived(Verb::Update, &told)?;
    let plan = world.plan(0)?;
    if call.text("service_id") != Some(&plan.service_id) {
        return Err(call.fail(format!("service_id {}", plan.service_id), "another or none"));
    }
    if call.field("parameters") == Some(&given) {
        Ok(())
    } else {
        Err(call.fail("the parameters that the user gave", "others"))
    }
}

async fn only_given(world: &mut World) -> Check {
    let plan = world.plan(0)?;
    let instance = world
        .instance_of(&plan, Some(json!({ "first": 1 })))
        .await?;
    for given in [json!({ "second": 2 }), json!({ "third": 3 })] {
        let told = world
            .update(&instance, Change::parameters(given.clone()))
            .await?;
        world.done(&told, "an update of parameters", Verb::Update)?;
        let call = world.arrived(Verb::Update, &told)?;
        if call.field("parameters") != Some(&given) {
            return Err(call.fail(format!("parameters {given} and no others"), "others"));
        }
    }
    Ok(())
}

async fn without_plan_change(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let plan = world.plan(0)?;
    let told = world
        .update(&instance, Change::parameters(json!({ "size": 2 })))
        .await?;
    let Some(call) = world.last(Verb::Update) else {
        return Err(Stop::skip(format!("no update arrived: {}", told.line())));
    };
    match call.text("plan_id") {
        None => Ok(()),
        Some(id) if id == plan.id => Ok(()),
        Some(_) => Err(call.fail("no plan_id, or the present one", "another plan")),
    }
}

async fn dashboard(world: &mut World, answer: Answer, new: Option<&str>) -> Check {
    let instance = world.instance().await?;
    let before = world.show(&instance).await?.dashboard_url;
    let Some(before) = before else {
        return Err(Stop::skip(
            "the platform does not show the dashboard's address",
        ));
    };
    world.on(Verb::Update, [answer]);
    let told = world
        .update(&instance, Change::parameters(json!({ "verify": 2 })))
        .await?;
    world.done(&told, "the update", Verb::Update)?;
    let call = world.arrived(Verb::Update, &told)?;
    let after = world.show(&instance).await?.dashboard_url;
    let wanted = new.unwrap_or(&before);
    if after.as_deref() == Some(wanted) {
        Ok(())
    } else {
        Err(call.fail(
            format!("the dashboard is at {wanted}"),
            format!("the platform shows {}", after.as_deref().unwrap_or("none")),
        ))
    }
}

async fn unknown_fields(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let strange = json!({ "x_vendor": { "deep": [1] }, "metadata": { "attributes": { "x": 1 } } });
    world.on(Verb::Update, [Answer::json(200, &strange)]);
    let told = world
        .update(&instance, Change::parameters(json!({ "verify": 2 })))
        .await?;
    if world.last(Verb::Update).is_none() {
        return Err(Stop::skip(format!("no update arrived: {}", told.line())));
    }
    world.done(&told, "the update", Verb::Update)
}
