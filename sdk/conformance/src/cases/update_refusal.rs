//! Update: what is refused, and that a refusal changes nothing.

use super::sections::UPDATE;
use crate::case::{Case, must, once, own, should};
use crate::sample;
use crate::verdict::{Check, Problems, Stop};
use crate::world::{Instance, World};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    must("update.plan-change-forbidden", &["B42", "B43"], UPDATE).says(
        "A plan change where plan_updateable is false is refused with 422 (or 400)",
        "Answer 422 with a description; never apply it and never fail with a 5xx.",
        own!(plan_change_forbidden),
    ),
    must("update.unknown-plan", &["B42", "B7"], UPDATE).says(
        "An update to an unknown plan is refused with 400 or 422",
        "Look the plan up in the catalog and answer 400.",
        own!(unknown_plan),
    ),
    must("update.unknown-service", &["B7"], UPDATE).says(
        "An update with an unknown service_id is refused with 400",
        "Compare service_id with the instance's and answer 400.",
        own!(unknown_service),
    ),
    must("update.missing-service-id", &["B7"], UPDATE).says(
        "An update without service_id is refused with 400",
        "service_id is mandatory in updates; answer 400 when it is missing or empty.",
        own!(missing_service),
    ),
    must("update.unknown-instance", &["B7"], UPDATE).says(
        "An update of an unknown instance is refused with a 4xx",
        "Answer 404 (or 400, 410, 422): the specification names no code, but it is the caller's mistake.",
        own!(unknown_instance),
    ),
    must("update.deleted-instance", &["B7"], UPDATE).says(
        "An update of a deleted instance is refused with a 4xx",
        "Answer 404 or 410 once the instance is gone.",
        own!(deleted_instance),
    ),
    must("update.wrong-types", &["B7"], UPDATE).says(
        "Fields of a wrong JSON type are answered with 400",
        "Answer 400 with the path of the field when the body does not fit.",
        own!(wrong_types),
    ),
    should("update.schema-violation", &["B42", "B13"], UPDATE).says(
        "Parameters that break the plan's update schema are refused with 400 or 422",
        "Validate parameters with the schema you publish.",
        own!(schema_violation),
    ),
    must("update.refusal-changes-nothing", &["B7", "B42"], UPDATE).says(
        "After a refused update the instance is what it was before",
        "Check everything before you change anything.",
        own!(changes_nothing),
    ),
    must("update.refusal-says-why", &["B42", "B8"], UPDATE).says(
        "A 422 to an update has a meaningful description",
        "Say in `description` what is not supported.",
        once!(says_why),
    ),
];

async fn plan_change_forbidden(world: &mut World) -> Check {
    let plan = world.plan()?;
    world.need(!plan.updateable, "plan_updateable is true for this plan")?;
    let Some(other) = plan.siblings.first() else {
        return Err(Stop::skip("the offering has one plan only"));
    };
    let instance = world.fresh().await?;
    let mut body = instance.bare_update();
    body["plan_id"] = json!(other);
    let reply = world.send_patiently(instance.patch(&body)).await?;
    if reply.status == 400 {
        world.note("refused with 400; the specification's code for an unsupported change is 422");
        return Ok(());
    }
    reply.status_in(&[422], "the catalog says that the plan cannot be changed")
}

async fn unknown_plan(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let mut body = instance.bare_update();
    body["plan_id"] = json!(uuid::Uuid::new_v4().to_string());
    let reply = world.send_patiently(instance.patch(&body)).await?;
    reply.status_in(&[400, 422], "the catalog has no such plan")
}

async fn unknown_service(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let body = json!({"service_id": uuid::Uuid::new_v4().to_string()});
    let reply = world.send_patiently(instance.patch(&body)).await?;
    reply.status_in(&[400], "the catalog has no such offering")
}

async fn missing_service(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let mut problems = Problems::default();
    for body in [
        json!({}),
        json!({"service_id": ""}),
        json!({"plan_id": instance.plan_id}),
    ] {
        let reply = world.send_patiently(instance.patch(&body)).await?;
        problems.take(reply.status_in(&[400], "service_id is missing or empty"))?;
    }
    problems.done()
}

async fn unknown_instance(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let reply = world.send(instance.patch(&instance.bare_update())).await?;
    world.note(format!("answered with {}", reply.status));
    reply.refused("there is no such instance")
}

async fn deleted_instance(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    world.tear_down(&instance).await?;
    let reply = world.send(instance.patch(&instance.bare_update())).await?;
    reply.refused("the instance is deleted")
}

async fn wrong_types(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let mut problems = Problems::default();
    let wrong = [
        ("service_id", json!(17)),
        ("plan_id", json!(["a"])),
        ("context", json!("text")),
        ("parameters", json!("text")),
        ("parameters", json!([1])),
        ("previous_values", json!("text")),
        ("maintenance_info", json!("1.0.0")),
    ];
    for (key, value) in wrong {
        let mut body = instance.bare_update();
        body[key] = value.clone();
        let reply = world.send_patiently(instance.patch(&body)).await?;
        let conflict = key == "maintenance_info" && reply.status == 422;
        if !conflict {
            problems.take(reply.status_in(&[400], &format!("{key} is {value}")))?;
        }
    }
    problems.done()
}

async fn schema_violation(world: &mut World) -> Check {
    let plan = world.plan()?;
    let Some(schema) = &plan.update_schema else {
        return Err(Stop::skip("the plan has no schema for update"));
    };
    let usual = plan.update_parameters().unwrap_or_default();
    let Some(bad) = sample::wrong(schema, &usual) else {
        return Err(Stop::skip(
            "the plan's schema refuses nothing the suite can think of",
        ));
    };
    let instance = world.fresh().await?;
    let mut body = instance.bare_update();
    body["parameters"] = Value::Object(bad);
    let reply = world.send_patiently(instance.patch(&body)).await?;
    reply.status_in(&[400, 422], "the parameters break the plan's schema")
}

async fn changes_nothing(world: &mut World) -> Check {
    let plan = world.plan()?;
    let instance = world.fresh().await?;
    let before = world.send(instance.get()).await?;
    let mut body = instance.bare_update();
    body["plan_id"] = json!(uuid::Uuid::new_v4().to_string());
    body["parameters"] = json!({"x_conformance_never": 1});
    let refused = world.send_patiently(instance.patch(&body)).await?;
    world.need(
        refused.is_refusal(),
        "the broker did not refuse the update; see update.unknown-plan",
    )?;
    if plan.instances_retrievable && before.status == 200 {
        let after = world.send(instance.get()).await?;
        return after.ensure(
            after.json == before.json,
            "the instance as it was before the refused update",
        );
    }
    let again = world.send(instance.put()).await?;
    again.status_in(
        &[200],
        "the request that made the instance still describes it",
    )
}

async fn says_why(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let mut refusals = Vec::new();
    let plan = world.plan()?;
    let other = plan.siblings.first().cloned();
    for id in [Some(uuid::Uuid::new_v4().to_string()), other]
        .into_iter()
        .flatten()
    {
        let mut body = instance.bare_update();
        body["plan_id"] = json!(id);
        let request = instance.patch(&body).without_query("accepts_incomplete");
        let reply = world.send_patiently(request).await?;
        if reply.status == 422 {
            refusals.push(reply);
        }
    }
    world.need(
        !refusals.is_empty(),
        "the broker answered no update with 422",
    )?;
    let mut problems = Problems::default();
    for reply in refusals {
        let says = reply
            .text("description")
            .is_some_and(|text| text.len() >= 10);
        problems.take(reply.ensure(says, "a description of at least a few words"))?;
    }
    problems.done()
}
