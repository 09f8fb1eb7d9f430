//! Polling: which ids and which operation a poll carries, and what makes it go on.

use super::sections::{POLL, POLL_INTERVAL, UPDATE};
use super::work::{Stage, Work};
use crate::case::Seen;
use crate::platform::broker::{Answer, Call, Verb};
use crate::platform::case::{Case, How, must, own, should};
use crate::platform::world::{Change, World};
use crate::verdict::{Check, Stop};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::time::Duration;

const VERBATIM: &str = "Keep the operation as it came and percent-encode every reserved character of it, a plus sign and a blank included.";
const GO_ON: &str = "Go on polling until the broker says succeeded or failed, or time is up.";
const HINTS: &str = "Send service_id and plan_id of the instance with every poll.";

/// Everything that goes wrong when it is not encoded, or encoded twice.
const NASTY: &str = "a b+c&d=e%20f/g?h#i\"j\\k;l:m,ü\u{1F600}{\"x\":[1]}";

pub(super) const CASES: &[Case] = &[
    must("poll.operation", &["P8"], POLL).says(
        "Every poll carries the operation that was handed out, and none when none was",
        VERBATIM,
        How::Each(operation),
    ),
    must("poll.operation-encoded", &["P8"], POLL).says(
        "An operation with blanks, reserved characters and emoji comes back as it was",
        VERBATIM,
        own!(|world| comes_back(world, Work::Provision, Some(NASTY.to_owned()))),
    ),
    must("poll.operation-encoded-binding", &["P8"], POLL).says(
        "The same for the operation of a binding",
        VERBATIM,
        own!(|world| comes_back(world, Work::Bind, Some(NASTY.to_owned()))),
    ),
    must("poll.operation-long", &["P8"], POLL).says(
        "An operation of 10,000 characters comes back whole",
        VERBATIM,
        own!(|world| comes_back(world, Work::Provision, Some("0123456789".repeat(1000)))),
    ),
    must("poll.operation-absent", &["P8"], POLL).says(
        "A 202 without an operation is polled without one",
        VERBATIM,
        own!(|world| comes_back(world, Work::Provision, None)),
    ),
    should("poll.hints", &["P8"], POLL).says(
        "Every poll carries service_id and plan_id",
        HINTS,
        How::Each(hints),
    ),
    must("poll.hints-right", &["P8"], POLL).says(
        "The service_id and plan_id of a poll are those of the instance",
        HINTS,
        How::Each(hints_right),
    ),
    must("poll.plan-change", &["P8"], UPDATE).says(
        "A plan change is polled with the old plan_id",
        "Send the plan of before the change until it has succeeded.",
        own!(|world| plan_change(world)),
    ),
    should("poll.unknown-state", &["P9"], POLL).says(
        "A state that nobody knows is no end",
        GO_ON,
        own!(|world| goes_on(world, Work::Provision, Answer::state("pondering"))),
    ),
    should("poll.malformed", &["P9"], POLL).says(
        "A body that cannot be read is no end",
        GO_ON,
        own!(|world| goes_on(world, Work::Provision, Answer::malformed(200))),
    ),
    should("poll.500", &["P9"], POLL).says(
        "500 is no end",
        GO_ON,
        own!(|world| goes_on(world, Work::Provision, Answer::error(500))),
    ),
    should("poll.503-binding", &["P9"], POLL).says(
        "503 is no end for a binding either",
        GO_ON,
        own!(|world| goes_on(world, Work::Bind, Answer::error(503))),
    ),
    should("poll.404", &["P9"], POLL).says(
        "404 is no end",
        GO_ON,
        own!(|world| goes_on(world, Work::Provision, Answer::error(404))),
    ),
    should("poll.400", &["P9"], POLL).says(
        "400 is no end",
        GO_ON,
        own!(|world| goes_on(world, Work::Update, Answer::error(400))),
    ),
    should("poll.410-create", &["P9"], POLL).says(
        "410 is no end of a creation",
        GO_ON,
        own!(|world| goes_on(world, Work::Provision, Answer::json(410, &json!({})))),
    ),
    should("poll.410-update", &["P9"], POLL).says(
        "410 is no end of an update",
        GO_ON,
        own!(|world| goes_on(world, Work::Update, Answer::json(410, &json!({})))),
    ),
    should("poll.cut", &["P9"], POLL).says(
        "A connection that breaks is no end",
        GO_ON,
        own!(|world| goes_on(world, Work::Provision, Answer::cut())),
    ),
    should("poll.retry-after", &["P10"], POLL_INTERVAL).says(
        "Retry-After with seconds is honoured",
        "Wait at least as long as the broker asks before the next poll.",
        own!(|world| retry_after(world, Form::Seconds)),
    ),
    should("poll.retry-after-date", &["P10"], POLL_INTERVAL).says(
        "Retry-After with a date is honoured",
        "Read both forms of Retry-After.",
        own!(|world| retry_after(world, Form::Date)),
    ),
];

fn operation(call: &Call) -> Seen {
    let Some(handed) = call
        .known
        .operation
        .as_ref()
        .filter(|_| call.verb.is_poll())
    else {
        return Seen::NotMine;
    };
    let given = call.asked("operation").unwrap_or_default();
    let right = handed.as_deref().unwrap_or_default();
    if given == right {
        Seen::Right
    } else {
        Seen::Wrong(format!(
            "operation {right:?}, percent-encoded; decoded it is {given:?}"
        ))
    }
}

fn hints(call: &Call) -> Seen {
    if !call.verb.is_poll() {
        return Seen::NotMine;
    }
    let mut keys = ["service_id", "plan_id"].into_iter();
    match keys.find(|key| call.asked(key).unwrap_or_default().is_empty()) {
        Some(key) => Seen::Wrong(format!("{key} in the query")),
        None => Seen::Right,
    }
}

fn hints_right(call: &Call) -> Seen {
    if !call.verb.is_poll() || call.known.service_id.is_empty() {
        return Seen::NotMine;
    }
    for (key, right) in [
        ("service_id", &call.known.service_id),
        ("plan_id", &call.known.plan_id),
    ] {
        match call.asked(key) {
            Some(given) if !given.is_empty() && given != right => {
                return Seen::Wrong(format!("{key}={right}, not {given}"));
            }
            _ => {}
        }
    }
    Seen::Right
}

/// Work that is accepted with this operation and polled twice.
async fn comes_back(world: &mut World, work: Work, operation: Option<String>) -> Check {
    let stage = Stage::set(world, work).await?;
    let accepted = match &operation {
        Some(operation) => Answer::accepted(operation),
        None => Answer::json(202, &json!({})),
    };
    world.on(work.verb(), [accepted]);
    world.on(
        work.poll(),
        [Answer::state("in progress"), Answer::state("succeeded")],
    );
    let told = stage.go(world).await?;
    let polls = world.calls(work.poll());
    let Some(first) = polls.first() else {
        return Err(Stop::failed("polls after 202", told.line()));
    };
    let right = operation.unwrap_or_default();
    for poll in &polls {
        let given = poll.asked("operation").unwrap_or_default();
        if given != right {
            return Err(poll.fail("the operation exactly as it was handed out", "another"));
        }
    }
    if told.is_done() {
        Ok(())
    } else {
        Err(first.fail(format!("{} succeeds", work.noun()), told.line()))
    }
}

async fn plan_change(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let (old, new) = (world.plan(0)?, world.plan(1)?);
    world.on(Verb::Update, [Answer::accepted("a plan change")]);
    world.on(
        Verb::Poll,
        [Answer::state("in progress"), Answer::state("succeeded")],
    );
    let told = world.update(&instance, Change::plan(new)).await?;
    let polls = world.about(Verb::Poll, &instance.id);
    if polls.is_empty() {
        return Err(Stop::skip(format!("no poll arrived: {}", told.line())));
    }
    for poll in &polls {
        match poll.asked("plan_id") {
            None => world.note("polls without a plan_id"),
            Some(plan) if plan == old.id => {}
            Some(_) => return Err(poll.fail("the plan_id of before the change", "another")),
        }
    }
    world.done(&told, "the plan change", Verb::Update)
}

/// Work whose polls are answered strangely twice before they say succeeded.
async fn goes_on(world: &mut World, work: Work, strange: Answer) -> Check {
    let stage = Stage::set(world, work).await?;
    world.on(work.verb(), [Answer::accepted("a long one")]);
    world.on(
        work.poll(),
        [
            strange.clone(),
            strange,
            Answer::state("in progress"),
            Answer::state("succeeded"),
        ],
    );
    let told = stage.go(world).await?;
    let polls = world.calls(work.poll());
    let Some(first) = polls.first() else {
        return Err(Stop::skip(format!("no poll arrived: {}", told.line())));
    };
    if told.is_done() && polls.len() >= 4 {
        return Ok(());
    }
    let seen = format!("{} polls, then {}", polls.len(), told.line());
    Err(first.fail("polls until succeeded", seen))
}

fn in_four_seconds() -> String {
    // Dates have whole seconds, so that at least three remain.
    let then = Timestamp::now() + SignedDuration::from_secs(4);
    then.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// How a broker says when it wants to be asked again.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Seconds,
    Date,
}

async fn retry_after(world: &mut World, form: Form) -> Check {
    world.on(Verb::Provision, [Answer::accepted("not at once")]);
    // A date is made when the case begins: what is left of its time counts from the poll.
    let started = std::time::Instant::now();
    let value = match form {
        Form::Seconds => "3".to_owned(),
        Form::Date => in_four_seconds(),
    };
    let first = Answer::state("in progress");
    let wait = Answer::state("in progress").header("retry-after", &value);
    let polls = match form {
        Form::Date => vec![wait, Answer::state("succeeded")],
        Form::Seconds => vec![first, wait, Answer::state("succeeded")],
    };
    let index = polls.len() - 2;
    world.on(Verb::Poll, polls);
    let told = world.create().await?;
    let polls = world.calls(Verb::Poll);
    let (Some(asked), Some(next)) = (polls.get(index), polls.get(index + 1)) else {
        return Err(Stop::skip(format!(
            "{} polls: {}",
            polls.len(),
            told.line()
        )));
    };
    let wanted = match form {
        // What was left of the time when the poll was answered.
        Form::Date => Duration::from_secs(3).saturating_sub(asked.at.duration_since(started)),
        Form::Seconds => Duration::from_secs(3),
    };
    let waited = next.at.duration_since(asked.at);
    // A platform measures from when it read the answer; that is a little later than when it was sent.
    if waited + Duration::from_millis(50) >= wanted {
        Ok(())
    } else {
        Err(next.fail(
            format!("no poll before {:.1} s", wanted.as_secs_f32()),
            format!("after {:.1} s", waited.as_secs_f32()),
        ))
    }
}
