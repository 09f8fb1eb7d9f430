//! Provision: what is refused with 400, and that a refusal leaves nothing behind.

use super::sections::PROVISION;
use crate::case::{Case, must, once, own, should};
use crate::sample;
use crate::verdict::{Check, Problems, Stop};
use crate::world::{Instance, World};
use serde_json::{Value, json};

const REQUIRED: &str = "Check the mandatory fields first and answer 400 with a description that names the missing one.";
const KNOWN: &str = "Look the ids up in the catalog and answer 400 when they are not there.";

pub(super) const CASES: &[Case] = &[
    must("provision.missing-service-id", &["B22"], PROVISION).says("A body without service_id is answered with 400", REQUIRED, own!(missing_service)),
    must("provision.missing-plan-id", &["B22"], PROVISION).says("A body without plan_id is answered with 400", REQUIRED, own!(missing_plan)),
    must("provision.missing-organization", &["B22"], PROVISION).says("A body without organization_guid is answered with 400", REQUIRED, own!(missing_organization)),
    must("provision.missing-space", &["B22"], PROVISION).says("A body without space_guid is answered with 400", REQUIRED, own!(missing_space)),
    must("provision.empty-service-id", &["B22"], PROVISION).says("An empty service_id is answered with 400", REQUIRED, own!(empty_service)),
    must("provision.empty-plan-id", &["B22"], PROVISION).says("An empty plan_id is answered with 400", REQUIRED, own!(empty_plan)),
    must("provision.unknown-service", &["B22"], PROVISION).says("An unknown service_id is answered with 400", KNOWN, own!(unknown_service)),
    must("provision.unknown-plan", &["B22"], PROVISION).says("An unknown plan_id is answered with 400", KNOWN, own!(unknown_plan)),
    must("provision.plan-of-other-offering", &["B22"], PROVISION).says("A plan_id of another offering is answered with 400", KNOWN, own!(strange_plan)),
    must("provision.wrong-types", &["B22", "B7"], PROVISION).says(
        "Fields of a wrong JSON type are answered with 400",
        "Answer 400 with the path of the field when the body does not fit.",
        once!(wrong_types),
    ),
    must("provision.null-optionals", &["B7"], PROVISION).says(
        "null for optional fields is taken as absent or refused with 400; never a 5xx",
        "Treat null like absent.",
        once!(null_optionals),
    ),
    should("provision.schema-violation", &["B22", "B13"], PROVISION).says(
        "Parameters that break the plan's schema are answered with 400",
        "Validate parameters with the schema you publish and name every violation in the description.",
        own!(schema_violation),
    ),
    must("provision.refusal-leaves-nothing", &["B7", "B22"], PROVISION).says(
        "After a 400 there is no instance: delete says 410, fetch and last_operation 404",
        "Store nothing before the request is found to be good.",
        own!(leaves_nothing),
    ),
    must("provision.odd-accepts-incomplete", &["B7", "B21"], PROVISION).says(
        "A value of accepts_incomplete that is not a boolean is not a 5xx",
        "Treat it as false, or answer 400.",
        once!(odd_accepts_incomplete),
    ),
];

async fn refused(world: &mut World, why: &str, change: impl FnOnce(&mut Value)) -> Check {
    let mut instance = Instance::new(&world.plan()?);
    change(&mut instance.body);
    let reply = world.send(instance.put()).await?;
    reply.status_in(&[400], why)
}

fn without(key: &str) -> impl FnOnce(&mut Value) {
    let key = key.to_owned();
    move |body| {
        if let Some(body) = body.as_object_mut() {
            body.remove(&key);
        }
    }
}

async fn missing_service(world: &mut World) -> Check {
    refused(world, "service_id is missing", without("service_id")).await
}

async fn missing_plan(world: &mut World) -> Check {
    refused(world, "plan_id is missing", without("plan_id")).await
}

async fn missing_organization(world: &mut World) -> Check {
    refused(
        world,
        "organization_guid is missing",
        without("organization_guid"),
    )
    .await
}

async fn missing_space(world: &mut World) -> Check {
    refused(world, "space_guid is missing", without("space_guid")).await
}

async fn empty_service(world: &mut World) -> Check {
    refused(world, "service_id is empty", |body| {
        body["service_id"] = json!("");
    })
    .await
}

async fn empty_plan(world: &mut World) -> Check {
    refused(world, "plan_id is empty", |body| {
        body["plan_id"] = json!("");
    })
    .await
}

async fn unknown_service(world: &mut World) -> Check {
    refused(world, "the catalog has no such offering", |body| {
        body["service_id"] = json!(uuid::Uuid::new_v4().to_string());
    })
    .await
}

async fn unknown_plan(world: &mut World) -> Check {
    refused(world, "the offering has no such plan", |body| {
        body["plan_id"] = json!(uuid::Uuid::new_v4().to_string());
    })
    .await
}

async fn strange_plan(world: &mut World) -> Check {
    let Some((_, plan)) = world.plan()?.stranger else {
        return Err(Stop::skip("the catalog has one offering only"));
    };
    refused(world, "the plan belongs to another offering", |body| {
        body["plan_id"] = json!(plan);
    })
    .await
}

async fn wrong_types(world: &mut World) -> Check {
    let mut problems = Problems::default();
    let wrong = [
        ("service_id", json!(17)),
        ("service_id", json!(null)),
        ("plan_id", json!(["a"])),
        ("plan_id", json!({})),
        ("organization_guid", json!(true)),
        ("space_guid", json!({"a": 1})),
        ("context", json!("cloudfoundry")),
        ("context", json!([])),
        ("parameters", json!("text")),
        ("parameters", json!([1, 2])),
        ("maintenance_info", json!("1.0.0")),
        ("maintenance_info", json!({"version": 1})),
    ];
    let plan = world.plan()?;
    for (key, value) in wrong {
        let mut instance = Instance::new(&plan);
        instance.body[key] = value.clone();
        let reply = world.send(instance.put()).await?;
        // A maintenance_info of the wrong shape may also be seen as one that does not match.
        let conflict = key == "maintenance_info" && reply.status == 422;
        if !conflict {
            problems.take(reply.status_in(&[400], &format!("{key} is {value}")))?;
        }
    }
    problems.done()
}

async fn null_optionals(world: &mut World) -> Check {
    let plan = world.plan()?;
    let mut problems = Problems::default();
    for key in ["context", "parameters", "maintenance_info"] {
        let mut instance = Instance::new(&plan);
        instance.body[key] = Value::Null;
        let reply = world.send(instance.put()).await?;
        // null may also be seen as a version that does not match.
        let conflict = key == "maintenance_info" && reply.status == 422;
        let fine = reply.is_success() || reply.status == 400 || conflict;
        problems.take(reply.ensure(fine, format!("a success or 400 ({key} is null)")))?;
    }
    problems.done()
}

async fn schema_violation(world: &mut World) -> Check {
    let plan = world.plan()?;
    let usual = plan.provision_parameters().unwrap_or_default();
    let Some(schema) = &plan.create_schema else {
        return Err(Stop::skip("the plan has no schema for provision"));
    };
    let Some(bad) = sample::wrong(schema, &usual) else {
        return Err(Stop::skip(
            "the plan's schema refuses nothing the suite can think of",
        ));
    };
    refused(world, "the parameters break the plan's schema", |body| {
        body["parameters"] = Value::Object(bad);
    })
    .await
}

async fn leaves_nothing(world: &mut World) -> Check {
    let plan = world.plan()?;
    let instance = Instance::new(&plan);
    let mut body = instance.body.clone();
    body["plan_id"] = json!(uuid::Uuid::new_v4().to_string());
    let reply = world.send(instance.put_body(&body)).await?;
    world.need(
        reply.is_refusal(),
        "the broker did not refuse the request; see provision.unknown-plan",
    )?;
    let mut problems = Problems::default();
    let reply = world.send(instance.poll(None)).await?;
    problems.take(reply.status_in(&[404, 410], "a refused provision leaves no operation"))?;
    if plan.instances_retrievable {
        let reply = world.send(instance.get()).await?;
        problems.take(reply.status_in(&[404], "a refused provision leaves no instance"))?;
    }
    let reply = world.send(instance.delete()).await?;
    problems.take(reply.status_in(&[410], "a refused provision leaves no instance"))?;
    problems.done()
}

async fn odd_accepts_incomplete(world: &mut World) -> Check {
    let plan = world.plan()?;
    let mut problems = Problems::default();
    for value in ["maybe", "1", "", "TRUE", "true,false"] {
        let request = Instance::new(&plan)
            .put()
            .set_query("accepts_incomplete", value);
        let reply = world.send(request).await?;
        let fine = reply.is_success() || matches!(reply.status, 400 | 422);
        problems.take(reply.ensure(
            fine,
            format!("a success, 400 or 422 (accepts_incomplete={value})"),
        ))?;
    }
    problems.done()
}
