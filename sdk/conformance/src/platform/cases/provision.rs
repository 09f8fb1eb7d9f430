//! Provisioning: what counts as success, and every row of the orphan-mitigation table.

use super::rows::{Mitigation, creation, creation_polled, keeps_trying};
use super::sections::{ORPHANS, PROVISION, SYNC, VENDOR};
use super::work::Work::Provision;
use crate::platform::broker::{Answer, Verb};
use crate::platform::case::{Case, must, own, should};
use crate::platform::world::World;
use crate::verdict::{Check, Stop};
use Mitigation::{No, Yes};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const CLEAN: &str = "Count it as failed, and delete at the broker what may have been made.";
const LEAVE: &str = "Count it as failed, and do not delete anything: nothing was made.";
const TAKE: &str = "Count it as a success.";

pub(super) const CASES: &[Case] = &[
    must("provision.created", &["O12"], PROVISION).says(
        "201 is a success, and nothing is deleted",
        TAKE,
        own!(|world| succeeds(world, Answer::json(201, &json!({})))),
    ),
    must("provision.exists", &["O12"], PROVISION).says(
        "200 is a success, and nothing is deleted",
        TAKE,
        own!(|world| succeeds(world, Answer::json(200, &json!({})))),
    ),
    must("provision.null-dashboard", &["P15"], PROVISION).says(
        "A dashboard_url that is null is no error",
        "Treat null like an absent field.",
        own!(|world| succeeds(world, Answer::json(201, &json!({ "dashboard_url": null })))),
    ),
    must("provision.unknown-fields", &["P4", "P15"], VENDOR).says(
        "Unknown fields and attributes in the answer are ignored",
        "Read the fields you know and let the others be.",
        own!(|world| succeeds(world, Answer::json(201, &strange()))),
    ),
    must("provision.parameters", &["P4"], PROVISION).says(
        "The user's parameters arrive as they are",
        "Hand parameters on without changing them.",
        own!(|world| parameters(world)),
    ),
    should("provision.accepts-incomplete", &["P8"], SYNC).says(
        "The platform can work with plans that are only made asynchronously",
        "Send accepts_incomplete=true and poll when the broker answers 202.",
        own!(|world| accepts_incomplete(world)),
    ),
    should("provision.slow", &["P17"], PROVISION).says(
        "An answer that takes some seconds is waited for",
        "Wait for an answer about 60 seconds before you give up.",
        own!(|world| slow(world)),
    ),
    must("provision.200-malformed", &["O1"], ORPHANS).says(
        "200 with a malformed body is a failure, and nothing is deleted",
        LEAVE,
        own!(|world| creation(world, Provision, Answer::malformed(200), No)),
    ),
    must("provision.201-malformed", &["O2"], ORPHANS).says(
        "201 with a malformed body is a failure, and the orphan is deleted",
        CLEAN,
        own!(|world| creation(world, Provision, Answer::malformed(201), Yes)),
    ),
    must("provision.201-not-object", &["O2"], ORPHANS).says(
        "201 with a body that is no object is a failure, and the orphan is deleted",
        CLEAN,
        own!(|world| creation(world, Provision, Answer::raw(201, "[]"), Yes)),
    ),
    must("provision.202-malformed", &["O2"], ORPHANS).says(
        "202 with a malformed body is a failure, and the orphan is deleted",
        CLEAN,
        own!(|world| creation(world, Provision, Answer::malformed(202), Yes)),
    ),
    must("provision.204", &["O3"], ORPHANS).says(
        "204 is a failure, and the orphan is deleted",
        CLEAN,
        own!(|world| creation(world, Provision, Answer::raw(204, ""), Yes)),
    ),
    must("provision.206", &["O3"], ORPHANS).says(
        "206 is a failure, and the orphan is deleted",
        CLEAN,
        own!(|world| creation(world, Provision, Answer::json(206, &json!({})), Yes)),
    ),
    must("provision.400", &["O6"], ORPHANS).says(
        "400 is a refusal, and nothing is deleted",
        LEAVE,
        own!(|world| creation(world, Provision, Answer::error(400), No)),
    ),
    must("provision.403", &["O6"], ORPHANS).says(
        "403 is a refusal, and nothing is deleted",
        LEAVE,
        own!(|world| creation(world, Provision, Answer::error(403), No)),
    ),
    must("provision.404", &["O6"], ORPHANS).says(
        "404 is a refusal, and nothing is deleted",
        LEAVE,
        own!(|world| creation(world, Provision, Answer::error(404), No)),
    ),
    must("provision.408", &["O5"], ORPHANS).says(
        "408 is a failure, and nothing is deleted",
        LEAVE,
        own!(|world| creation(world, Provision, Answer::error(408), No)),
    ),
    must("provision.409", &["O6"], ORPHANS).says(
        "409 is a refusal, and nothing is deleted: it would be somebody else's",
        LEAVE,
        own!(|world| creation(world, Provision, Answer::error(409), No)),
    ),
    must("provision.422", &["O6"], ORPHANS).says(
        "422 is a refusal, and nothing is deleted",
        LEAVE,
        own!(|world| creation(world, Provision, Answer::error(422), No)),
    ),
    must("provision.500", &["O7"], ORPHANS).says(
        "500 is a failure, and the orphan is deleted",
        CLEAN,
        own!(|world| creation(world, Provision, Answer::error(500), Yes)),
    ),
    must("provision.500-not-json", &["O7"], ORPHANS).says(
        "500 with a page for people is a failure, and the orphan is deleted",
        CLEAN,
        own!(|world| creation(
            world,
            Provision,
            Answer::raw(500, "<html>it broke</html>"),
            Yes
        )),
    ),
    must("provision.503", &["O7"], ORPHANS).says(
        "503 is a failure, and the orphan is deleted",
        CLEAN,
        own!(|world| creation(world, Provision, Answer::error(503), Yes)),
    ),
    must("provision.cut", &["O8"], ORPHANS).says(
        "A connection that breaks before the answer is a failure, and the orphan is deleted",
        CLEAN,
        own!(|world| creation(world, Provision, Answer::cut(), Yes)),
    ),
    must("provision.timeout", &["O8", "P17"], ORPHANS).says(
        "No answer in time is a failure, and the orphan is deleted",
        CLEAN,
        own!(|world| creation(world, Provision, Answer::never(), Yes)),
    ),
    must("provision.poll-failed", &["O10", "P9"], ORPHANS).says(
        "A poll that says failed is a failure, and the orphan is deleted",
        CLEAN,
        own!(|world| creation_polled(world, Provision)),
    ),
    should("provision.keeps-trying", &["O11"], ORPHANS).says(
        "The deletion of an orphan is tried until the broker says success",
        "Keep the orphan in mind and try again, with growing pauses.",
        own!(|world| keeps_trying(world, Provision)),
    ),
];

fn strange() -> Value {
    json!({
        "dashboard_url": "https://dashboard.example/strange",
        "x_vendor": { "deep": [1, null] },
        "metadata": { "labels": { "verify": "yes" }, "attributes": { "x_vendor": { "a": 1 } }, "x_vendor": 2 },
    })
}

/// A creation that succeeds with this answer; nothing is polled and nothing deleted.
async fn succeeds(world: &mut World, answer: Answer) -> Check {
    world.on(Verb::Provision, [answer]);
    let told = world.create().await?;
    world.done(&told, "the creation of the instance", Verb::Provision)?;
    world.settle().await;
    for verb in [Verb::Deprovision, Verb::Poll] {
        if let Some(call) = world.last(verb) {
            return Err(call.fail("no such call: all is done", verb.word()));
        }
    }
    Ok(())
}

async fn parameters(world: &mut World) -> Check {
    let given = json!({
        "text": "ünïcode \u{1F600} \"quotes\" \\ and \n lines",
        "numbers": [0, -1, 1.5, 9_007_199_254_740_991_i64],
        "nested": { "empty": {}, "list": [], "null": null, "true": true },
    });
    let plan = world.plan(0)?;
    let told = world.create_with(&plan, Some(given.clone())).await?;
    world.done(&told, "a creation with parameters", Verb::Provision)?;
    let call = world.arrived(Verb::Provision, &told)?;
    if call.field("parameters") == Some(&given) {
        Ok(())
    } else {
        Err(call.fail("the parameters that the user gave", "others"))
    }
}

async fn accepts_incomplete(world: &mut World) -> Check {
    world.on(Verb::Provision, [Answer::accepted("only asynchronous")]);
    let told = world.create().await?;
    let call = world.arrived(Verb::Provision, &told)?;
    if call.asked("accepts_incomplete") == Some("true") {
        return world.done(&told, "the creation of the instance", Verb::Provision);
    }
    Err(call.fail("accepts_incomplete=true", "not asked for"))
}

async fn slow(world: &mut World) -> Check {
    let after = world.scene.options.slow_answer;
    world.always(Verb::Provision, [Answer::json(201, &json!({})).late(after)]);
    let told = world.create().await?;
    let call = world.arrived(Verb::Provision, &told)?;
    if told.is_done() {
        return Ok(());
    }
    // A platform may tell of it before the broker's connection has noticed.
    let end = Instant::now() + after;
    while call.given_up.get().is_none() && Instant::now() < end {
        sleep(Duration::from_millis(10)).await;
    }
    let waited = call
        .given_up
        .get()
        .map(|at| at.duration_since(call.at).as_secs());
    Err(match waited {
        Some(seconds) => call.fail(
            format!("an answer after {} s is waited for", after.as_secs()),
            format!("given up after {seconds} s"),
        ),
        None => Stop::skip(told.line()),
    })
}
