//! Binding: what counts as success, credentials, and every row of the orphan-mitigation table.

use super::rows::{Mitigation, creation, creation_polled, keeps_trying};
use super::sections::{BIND, CATALOG, ORPHANS};
use super::work::Work::Bind;
use crate::platform::broker::{Answer, Plans, Verb, catalog};
use crate::platform::case::{Case, must, own, should};
use crate::platform::world::{Made, World};
use crate::verdict::{Check, Stop};
use Mitigation::{No, Yes};
use serde_json::{Value, json};

const CLEAN: &str = "Count it as failed, and unbind at the broker what may have been made.";
const LEAVE: &str = "Count it as failed, and do not unbind anything: nothing was made.";
const NEVER: &str = "Look at the plan's bindable first, then at the offering's, before you bind.";

pub(super) const CASES: &[Case] = &[
    must("bind.created", &["O12", "P18"], BIND).says(
        "201 is a success: the request names its plan, and the credentials are those of the answer",
        "Send service_id and plan_id, and keep the credentials of the answer.",
        own!(|world| created(world)),
    ),
    must("bind.exists", &["O12"], BIND).says(
        "200 is a success with the credentials of the answer",
        "Treat 200 like 201.",
        own!(|world| exists(world)),
    ),
    must("bind.async", &["P18", "P9"], BIND).says(
        "After an asynchronous bind the credentials are fetched from the broker",
        "GET the binding as soon as last_operation says succeeded, and keep its credentials.",
        own!(|world| asynchronous(world)),
    ),
    must("bind.parameters", &["P4"], BIND).says(
        "The user's parameters arrive as they are",
        "Hand parameters on without changing them.",
        own!(|world| parameters(world)),
    ),
    must("bind.plan-not-bindable", &["P6"], CATALOG)
        .says(
            "No bind where the plan says bindable false, whatever the offering says",
            NEVER,
            own!(|world| not_bindable(world)),
        )
        .with(Plans(|| {
            catalog(json!({ "bindable": true }), &[json!({ "bindable": false })])
        })),
    must("bind.offering-not-bindable", &["P6"], CATALOG)
        .says(
            "No bind where the offering says bindable false and the plan nothing",
            NEVER,
            own!(|world| not_bindable(world)),
        )
        .with(Plans(|| {
            catalog(json!({ "bindable": false }), &[json!({})])
        })),
    should("bind.plan-bindable", &["P6"], CATALOG)
        .says(
            "A plan that says bindable true can be bound, whatever the offering says",
            NEVER,
            own!(|world| bindable(world)),
        )
        .with(Plans(|| {
            catalog(json!({ "bindable": false }), &[json!({ "bindable": true })])
        })),
    must("bind.200-malformed", &["O1"], ORPHANS).says(
        "200 with a malformed body is a failure, and nothing is unbound",
        LEAVE,
        own!(|world| creation(world, Bind, Answer::malformed(200), No)),
    ),
    must("bind.201-malformed", &["O2"], ORPHANS).says(
        "201 with a malformed body is a failure, and the orphan is unbound",
        CLEAN,
        own!(|world| creation(world, Bind, Answer::malformed(201), Yes)),
    ),
    must("bind.202-malformed", &["O2"], ORPHANS).says(
        "202 with a malformed body is a failure, and the orphan is unbound",
        CLEAN,
        own!(|world| creation(world, Bind, Answer::malformed(202), Yes)),
    ),
    must("bind.204", &["O3"], ORPHANS).says(
        "204 is a failure, and the orphan is unbound",
        CLEAN,
        own!(|world| creation(world, Bind, Answer::raw(204, ""), Yes)),
    ),
    must("bind.206", &["O3"], ORPHANS).says(
        "206 is a failure, and the orphan is unbound",
        CLEAN,
        own!(|world| creation(world, Bind, Answer::json(206, &json!({})), Yes)),
    ),
    must("bind.400", &["O6"], ORPHANS).says(
        "400 is a refusal, and nothing is unbound",
        LEAVE,
        own!(|world| creation(world, Bind, Answer::error(400), No)),
    ),
    must("bind.404", &["O6"], ORPHANS).says(
        "404 is a refusal, and nothing is unbound",
        LEAVE,
        own!(|world| creation(world, Bind, Answer::error(404), No)),
    ),
    must("bind.408", &["O5"], ORPHANS).says(
        "408 is a failure, and nothing is unbound",
        LEAVE,
        own!(|world| creation(world, Bind, Answer::error(408), No)),
    ),
    must("bind.409", &["O6"], ORPHANS).says(
        "409 is a refusal, and nothing is unbound: it would be somebody else's",
        LEAVE,
        own!(|world| creation(world, Bind, Answer::error(409), No)),
    ),
    must("bind.requires-app", &["O6"], ORPHANS).says(
        "422 RequiresApp is a refusal, and nothing is unbound",
        LEAVE,
        own!(|world| creation(world, Bind, Answer::word("RequiresApp"), No)),
    ),
    must("bind.500", &["O7"], ORPHANS).says(
        "500 is a failure, and the orphan is unbound",
        CLEAN,
        own!(|world| creation(world, Bind, Answer::error(500), Yes)),
    ),
    must("bind.503", &["O7"], ORPHANS).says(
        "503 is a failure, and the orphan is unbound",
        CLEAN,
        own!(|world| creation(world, Bind, Answer::error(503), Yes)),
    ),
    must("bind.cut", &["O8"], ORPHANS).says(
        "A connection that breaks before the answer is a failure, and the orphan is unbound",
        CLEAN,
        own!(|world| creation(world, Bind, Answer::cut(), Yes)),
    ),
    must("bind.timeout", &["O8", "P17"], ORPHANS).says(
        "No answer in time is a failure, and the orphan is unbound",
        CLEAN,
        own!(|world| creation(world, Bind, Answer::never(), Yes)),
    ),
    must("bind.poll-failed", &["O10", "P9"], ORPHANS).says(
        "A poll that says failed is a failure, and the orphan is unbound",
        CLEAN,
        own!(|world| creation_polled(world, Bind)),
    ),
    should("bind.keeps-trying", &["O11"], ORPHANS).says(
        "The unbinding of an orphan is tried until the broker says success",
        "Keep the orphan in mind and try again, with growing pauses.",
        own!(|world| keeps_trying(world, Bind)),
    ),
];

/// The binding of the last bind, when the platform says that it is there.
async fn bound(world: &mut World, instance: &Made) -> Result<Made, Stop> {
    let told = world.bind(instance).await?;
    world.done(&told, "the creation of the binding", Verb::Bind)?;
    let call = world.arrived(Verb::Bind, &told)?;
    let id = call.binding.clone();
    let handle = told.handle.unwrap_or_else(|| id.clone());
    Ok(Made { handle, id })
}

/// The platform shows these credentials, when it shows any.
async fn credentials(world: &mut World, instance: &Made, binding: &Made, right: &Value) -> Check {
    let told = world.show_binding(instance, binding).await?;
    match told.credentials.map(Value::Object) {
        None => {
            world.note("the platform does not show credentials");
            Ok(())
        }
        Some(shown) if shown == *right => Ok(()),
        Some(_) => Err(Stop::failed(
            "the credentials that the broker gave",
            "others",
        )),
    }
}

fn of(binding: &Made) -> Value {
    json!({ "username": format!("user of {}", binding.id), "password": format!("word of {}", binding.id) })
}

async fn created(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let binding = bound(world, &instance).await?;
    let plan = world.plan(0)?;
    if let Some(call) = world.last(Verb::Bind) {
        let right = call.instance == instance.id
            && call.text("service_id") == Some(&plan.service_id)
            && call.text("plan_id") == Some(&plan.id);
        if !right {
            return Err(call.fail(
                "the ids of the instance, its offering and its plan",
                "others",
            ));
        }
    }
    credentials(world, &instance, &binding, &of(&binding)).await
}

async fn exists(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let given = json!({ "uri": "verify://exists" });
    world.on(
        Verb::Bind,
        [Answer::json(200, &json!({ "credentials": given }))],
    );
    let binding = bound(world, &instance).await?;
    if world.last(Verb::FetchBinding).is_some() {
        world.note("fetches the binding after a bind that was done at once");
        return Ok(());
    }
    credentials(world, &instance, &binding, &given).await
}

async fn asynchronous(world: &mut World) -> Check {
    let instance = world.instance().await?;
    world.on(Verb::Bind, [Answer::accepted("a bind")]);
    world.on(
        Verb::PollBinding,
        [Answer::state("in progress"), Answer::state("succeeded")],
    );
    let binding = bound(world, &instance).await?;
    let polls = world.about(Verb::PollBinding, &binding.id);
    let fetches = world.about(Verb::FetchBinding, &binding.id);
    let Some(poll) = polls.get(1) else {
        return Err(Stop::failed(
            "polls until succeeded",
            format!("{} polls", polls.len()),
        ));
    };
    if !fetches.iter().any(|fetch| fetch.at >= poll.at) {
        return Err(poll.fail("GET of the binding after this poll", "no such call"));
    }
    credentials(world, &instance, &binding, &of(&binding)).await
}

async fn parameters(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let given = json!({ "role": "reader", "nested": { "list": [1, null, "ü"] } });
    let told = world.bind_with(&instance, Some(given.clone())).await?;
    world.done(&told, "a bind with parameters", Verb::Bind)?;
    let call = world.arrived(Verb::Bind, &told)?;
    if call.field("parameters") == Some(&given) {
        Ok(())
    } else {
        Err(call.fail("the parameters that the user gave", "others"))
    }
}

async fn not_bindable(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let told = world.bind(&instance).await?;
    match world.last(Verb::Bind) {
        Some(call) => Err(call.fail("no bind: the plan is not bindable", told.line())),
        None if told.is_done() => Err(Stop::failed("the platform refuses", told.line())),
        None => Ok(()),
    }
}

async fn bindable(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let told = world.bind(&instance).await?;
    world.done(&told, "a bind where the plan says bindable", Verb::Bind)
}
