//! Bind: the codes of a good request, its repeats, its conflicts and its refusals.

use super::provision::repeated;
use super::sections::{BIND, SYNC, VENDOR};
use crate::case::{Case, must, own, shared, should};
use crate::client::Reply;
use crate::sample;
use crate::verdict::{Check, Problems, Stop};
use crate::world::{Binding, Instance, Settled, World};
use serde_json::{Value, json};

const REQUIRED: &str = "Check the mandatory fields first and answer 400 with a description that names the missing one.";
const KNOWN: &str = "Compare the ids with the instance's and the catalog's and answer 400.";

pub(super) const CASES: &[Case] = &[
    must("bind.works", &["B50"], BIND).says(
        "A new binding is made: 201 now, or 202 and last_operation ends with succeeded",
        "Answer 201 with the credentials, or 202 when the work goes on.",
        own!(works),
    ),
    must("bind.async-required", &["B21", "B50"], SYNC).says(
        "Without accepts_incomplete the binding is made at once (201) or refused with 422 AsyncRequired",
        "Never answer 202 unless accepts_incomplete=true was sent.",
        own!(async_required),
    ),
    must("bind.repeat-identical", &["B50"], BIND).says(
        "The same PUT again, when the binding is ready, is answered with 200 and the same credentials",
        "Compare the request with the one that made the binding; answer 200 with what was handed out before.",
        shared!(repeat_identical),
    ),
    must("bind.repeat-in-progress", &["B50"], BIND).says(
        "The same PUT again while it runs is answered with 202 and the same operation",
        "Keep the operation string with the binding and answer it again.",
        own!(repeat_in_progress),
    ),
    must("bind.conflict-parameters", &["B50"], BIND).says(
        "A PUT for an existing id with other parameters is answered with 409",
        "Compare parameters with the stored ones and answer 409.",
        shared!(conflict_parameters),
    ),
    must("bind.conflict-plan", &["B50"], BIND).says(
        "A PUT for an existing id with another plan is answered with 409 (or 400)",
        "Compare plan_id with the stored one and answer 409.",
        shared!(conflict_plan),
    ),
    should("bind.conflict-app", &["B50"], BIND).says(
        "A PUT for an existing id with another application is answered with 409",
        "Compare bind_resource with the stored one and answer 409.",
        shared!(conflict_app),
    ),
    must("bind.conflict-changes-nothing", &["B7", "B50"], BIND).says(
        "After a refused PUT the binding is what it was before",
        "Decide on the conflict before writing anything.",
        shared!(conflict_changes_nothing),
    ),
    must("bind.missing-service-id", &["B7"], BIND).says("A body without service_id is answered with 400", REQUIRED, shared!(missing_service)),
    must("bind.missing-plan-id", &["B7"], BIND).says("A body without plan_id is answered with 400", REQUIRED, shared!(missing_plan)),
    must("bind.unknown-service", &["B7"], BIND).says("An unknown service_id is answered with 400", KNOWN, shared!(unknown_service)),
    must("bind.unknown-plan", &["B7"], BIND).says("An unknown plan_id is answered with 400", KNOWN, shared!(unknown_plan)),
    must("bind.wrong-types", &["B7"], BIND).says(
        "Fields of a wrong JSON type are answered with 400",
        "Answer 400 with the path of the field when the body does not fit.",
        shared!(wrong_types),
    ),
    should("bind.schema-violation", &["B13"], BIND).says(
        "Parameters that break the plan's binding schema are answered with 400",
        "Validate parameters with the schema you publish.",
        shared!(schema_violation),
    ),
    must("bind.refusal-leaves-nothing", &["B7"], BIND).says(
        "After a 400 there is no binding: unbind says 410",
        "Store nothing before the request is found to be good.",
        shared!(leaves_nothing),
    ),
    must("bind.unknown-instance", &["B7"], BIND).says(
        "A binding of an unknown instance is refused with a 4xx",
        "Answer 404 (or 400, 410, 422) when the instance is not there.",
        own!(unknown_instance),
    ),
    must("bind.not-bindable", &["B7"], BIND).says(
        "A binding of a plan that is not bindable is refused with a 4xx",
        "Answer 400 or 422 when the catalog says that the plan is not bindable.",
        shared!(not_bindable),
    ),
    must("bind.no-app", &["B51"], BIND).says(
        "A binding without application is made, or refused with 422 RequiresApp",
        "Answer 422 RequiresApp when you need an application and none is named.",
        own!(no_app),
    ),
    must("bind.app-at-top", &["B51"], BIND).says(
        "The deprecated app_guid at the top level is accepted",
        "Read bind_resource.app_guid first and app_guid second.",
        own!(app_at_top),
    ),
    must("bind.unknown-fields", &["B1"], VENDOR).says(
        "Unknown fields at every level of the body are ignored",
        "Do not reject unknown JSON fields in requests.",
        own!(unknown_fields),
    ),
    must("bind.context-elsewhere", &["B50"], BIND).says(
        "A binding may come from another space than its instance",
        "Keep the context of a binding apart from the instance's; do not compare them.",
        own!(context_elsewhere),
    ),
    must("bind.several", &["B50"], BIND).says(
        "An instance can have several bindings, each with credentials",
        "Key bindings by their id, not by their instance.",
        own!(several),
    ),
];

async fn works(world: &mut World) -> Check {
    world.need_bindable()?;
    let instance = world.fresh().await?;
    let mut binding = Binding::new(&instance, &world.plan()?);
    let settled = world.bind(&mut binding).await?;
    if let Some(first) = &binding.first {
        first.status_in(&[201, 202], "a new binding is made")?;
    }
    settled.succeeded("the bind").map(|_| ())
}

async fn new(world: &mut World) -> Result<Binding, Stop> {
    world.need_bindable()?;
    let instance = world.standing().await?;
    Ok(Binding::new(&instance, &world.plan()?))
}

async fn async_required(world: &mut World) -> Check {
    let binding = new(world).await?;
    let request = binding.put().without_query("accepts_incomplete");
    let reply = world.send_patiently(request).await?;
    match reply.status {
        201 => Ok(()),
        422 => reply.word_422("AsyncRequired", "the binding cannot be made at once"),
        _ => Err(reply.fail("201, or 422 with the error word AsyncRequired")),
    }
}

async fn repeat_identical(world: &mut World) -> Check {
    let binding = world.standing_binding().await?;
    let reply = world.send_patiently(binding.put()).await?;
    reply.status_in(&[200], "the binding is there and the request is the same")?;
    let before = world.handed_out(&binding).await?;
    let same = reply.field("credentials").is_none() && before.status == 200
        || reply.field("credentials") == before.field("credentials");
    reply.ensure(same, "the same credentials as before")
}

async fn repeat_in_progress(world: &mut World) -> Check {
    world.need_bindable()?;
    let instance = world.fresh().await?;
    let binding = Binding::new(&instance, &world.plan()?);
    let first = world.send_patiently(binding.put()).await?;
    world.still_running(&first)?;
    let again = world.send(binding.put()).await?;
    repeated(&first, &again)?;
    world.settle(binding.poll(first.operation())).await?;
    Ok(())
}

async fn conflict_parameters(world: &mut World) -> Check {
    let binding = world.standing_binding().await?;
    let Some(other) = world.plan()?.other_bind_parameters() else {
        return Err(Stop::skip(
            "the plan's schema leaves no room for other parameters",
        ));
    };
    let mut body = binding.body.clone();
    body["parameters"] = Value::Object(other);
    let reply = world.send_patiently(binding.put_body(&body)).await?;
    if reply.status == 400 {
        world.note("the broker refuses the parameters themselves with 400");
        return Ok(());
    }
    reply.status_in(&[409], "the id is taken by a binding with other parameters")
}

async fn conflict_plan(world: &mut World) -> Check {
    let binding = world.standing_binding().await?;
    let Some(other) = world.plan()?.siblings.first().cloned() else {
        return Err(Stop::skip("the offering has one plan only"));
    };
    let mut body = binding.body.clone();
    body["plan_id"] = json!(other);
    let reply = world.send_patiently(binding.put_body(&body)).await?;
    if reply.status == 400 {
        world.note("refused with 400, because the plan is not the instance's");
        return Ok(());
    }
    reply.status_in(&[409], "the id is taken by a binding of another plan")
}

async fn conflict_app(world: &mut World) -> Check {
    let binding = world.standing_binding().await?;
    let mut body = binding.body.clone();
    body["bind_resource"]["app_guid"] = json!(uuid::Uuid::new_v4().to_string());
    let reply = world.send_patiently(binding.put_body(&body)).await?;
    reply.status_in(
        &[409],
        "the id is taken by a binding of another application",
    )
}

async fn conflict_changes_nothing(world: &mut World) -> Check {
    let binding = world.standing_binding().await?;
    let mut body = binding.body.clone();
    body["plan_id"] = json!(uuid::Uuid::new_v4().to_string());
    let reply = world.send_patiently(binding.put_body(&body)).await?;
    reply.refused("the id is taken and the plan is unknown")?;
    let again = world.send_patiently(binding.put()).await?;
    again.status_in(&[200], "the first request still describes the binding")
}

async fn refused(world: &mut World, why: &str, change: impl FnOnce(&mut Value)) -> Check {
    let mut binding = new(world).await?;
    change(&mut binding.body);
    let reply = world.send_patiently(binding.put()).await?;
    reply.status_in(&[400], why)
}

fn remove(body: &mut Value, key: &str) {
    if let Some(body) = body.as_object_mut() {
        body.remove(key);
    }
}

async fn missing_service(world: &mut World) -> Check {
    refused(world, "service_id is missing", |body| {
        remove(body, "service_id");
    })
    .await?;
    refused(world, "service_id is empty", |body| {
        body["service_id"] = json!("");
    })
    .await
}

async fn missing_plan(world: &mut World) -> Check {
    refused(world, "plan_id is missing", |body| remove(body, "plan_id")).await?;
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

async fn wrong_types(world: &mut World) -> Check {
    let base = new(world).await?;
    let mut problems = Problems::default();
    let wrong = [
        ("service_id", json!(17)),
        ("plan_id", json!([])),
        ("context", json!("text")),
        ("bind_resource", json!("text")),
        ("bind_resource", json!({"app_guid": 7})),
        ("parameters", json!("text")),
        ("parameters", json!([1])),
    ];
    for (key, value) in wrong {
        let binding = base.clone().with_id(uuid::Uuid::new_v4().to_string());
        let mut body = binding.body.clone();
        body[key] = value.clone();
        let reply = world.send_patiently(binding.put_body(&body)).await?;
        problems.take(reply.status_in(&[400], &format!("{key} is {value}")))?;
    }
    problems.done()
}

async fn schema_violation(world: &mut World) -> Check {
    world.need_bindable()?;
    let plan = world.plan()?;
    let Some(schema) = &plan.bind_schema else {
        return Err(Stop::skip("the plan has no schema for bind"));
    };
    let usual = plan.bind_parameters().unwrap_or_default();
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
    let binding = new(world).await?;
    let mut body = binding.body.clone();
    body["plan_id"] = json!(uuid::Uuid::new_v4().to_string());
    let reply = world.send_patiently(binding.put_body(&body)).await?;
    world.need(
        reply.is_refusal(),
        "the broker did not refuse the request; see bind.unknown-plan",
    )?;
    if world.plan()?.bindings_retrievable {
        let reply = world.send(binding.get()).await?;
        reply.status_in(&[404], "a refused bind leaves no binding")?;
    }
    let reply = world.send(binding.delete()).await?;
    reply.status_in(&[410], "a refused bind leaves no binding")
}

async fn unknown_instance(world: &mut World) -> Check {
    world.need_bindable()?;
    let plan = world.plan()?;
    let binding = Binding::new(&Instance::new(&plan), &plan);
    let reply = world.send(binding.put()).await?;
    world.note(format!("answered with {}", reply.status));
    reply.refused("there is no such instance")
}

async fn not_bindable(world: &mut World) -> Check {
    let plan = world.plan()?;
    world.need(!plan.bindable, "the plan is bindable")?;
    let instance = world.standing().await?;
    let reply = world.send(Binding::new(&instance, &plan).put()).await?;
    reply.refused("the catalog says that the plan is not bindable")
}

/// A binding with a changed body, made on the shared instance.
async fn made_with(world: &mut World, change: impl FnOnce(&mut Value)) -> Result<Settled, Stop> {
    let mut binding = new(world).await?;
    change(&mut binding.body);
    let settled = world.bind(&mut binding).await?;
    if matches!(settled, Settled::Succeeded(_)) {
        world.unbind(&binding).await?;
    }
    Ok(settled)
}

async fn no_app(world: &mut World) -> Check {
    let settled = made_with(world, |body| remove(body, "bind_resource")).await?;
    match &settled {
        Settled::Refused(reply) if reply.status == 422 => {
            world.note("this plan needs an application");
            reply.word_422("RequiresApp", "no application is named")
        }
        _ => settled.succeeded("a bind without application").map(|_| ()),
    }
}

async fn app_at_top(world: &mut World) -> Check {
    let settled = made_with(world, |body| {
        let app = body["bind_resource"]["app_guid"].clone();
        remove(body, "bind_resource");
        body["app_guid"] = app;
    })
    .await?;
    settled
        .succeeded("a bind with the deprecated app_guid")
        .map(|_| ())
}

async fn unknown_fields(world: &mut World) -> Check {
    let settled = made_with(world, |body| {
        body["x_vendor"] = json!({"a": [1, null]});
        body["context"]["x_vendor"] = json!(1);
        body["bind_resource"]["x_vendor"] = json!("ignored");
    })
    .await?;
    settled.succeeded("a bind with unknown fields").map(|_| ())
}

async fn context_elsewhere(world: &mut World) -> Check {
    let settled = made_with(world, |body| {
        body["context"]["organization_guid"] = json!(uuid::Uuid::new_v4().to_string());
        body["context"]["space_guid"] = json!(uuid::Uuid::new_v4().to_string());
    })
    .await?;
    settled.succeeded("a bind from another space").map(|_| ())
}

async fn several(world: &mut World) -> Check {
    let first = world.standing_binding().await?;
    let second = world.bound(&first.instance.clone()).await?;
    let mut answers: Vec<Reply> = Vec::new();
    for binding in [&first, &second] {
        let reply = world.send_patiently(binding.put()).await?;
        reply.status_in(&[200], "both bindings are there side by side")?;
        answers.push(reply);
    }
    world.drop_binding(&second).await?;
    Ok(())
}
