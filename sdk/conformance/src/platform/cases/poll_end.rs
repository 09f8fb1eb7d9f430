//! The end of polling: succeeded, failed, 410 for deletions, and the time that a plan allows.

use super::sections::{POLL, POLL_INTERVAL};
use super::work::{Stage, Work};
use crate::platform::broker::{Answer, Plans, Verb};
use crate::platform::case::{Case, must, own};
use crate::platform::world::World;
use crate::verdict::{Check, Stop};
use serde_json::json;
use std::time::{Duration, Instant};

const STOP: &str = "Stop polling when the broker says succeeded or failed.";
const GONE: &str = "Treat 410 as the success of a deletion and forget the resource.";
const LIMIT: &str =
    "Stop polling after maximum_polling_duration and count the operation as failed.";

pub(super) const CASES: &[Case] = &[
    must("poll.provision", &["P9", "O12"], POLL).says(
        "A creation is polled until succeeded, and no longer", STOP,
        own!(|world| ends(world, Work::Provision)),
    ),
    must("poll.update", &["P9", "O12"], POLL).says(
        "An update is polled until succeeded, and no longer", STOP,
        own!(|world| ends(world, Work::Update)),
    ),
    must("poll.deprovision", &["P9", "O12"], POLL).says(
        "A deletion is polled until succeeded, and no longer", STOP,
        own!(|world| ends(world, Work::Deprovision)),
    ),
    must("poll.bind", &["P9", "O12"], POLL).says(
        "A bind is polled until succeeded, and no longer", STOP,
        own!(|world| ends(world, Work::Bind)),
    ),
    must("poll.unbind", &["P9", "O12"], POLL).says(
        "An unbind is polled until succeeded, and no longer", STOP,
        own!(|world| ends(world, Work::Unbind)),
    ),
    must("poll.failed-stops", &["P9"], POLL).says(
        "After failed there are no more polls", STOP,
        own!(|world| failed_stops(world)),
    ),
    must("poll.410-deprovision", &["P9", "P11"], POLL).says(
        "410 is the success of a deletion", GONE,
        own!(|world| gone(world, Work::Deprovision)),
    ),
    must("poll.410-unbind", &["P9", "P11"], POLL).says(
        "410 is the success of an unbind", GONE,
        own!(|world| gone(world, Work::Unbind)),
    ),
    must("poll.limit-provision", &["P10"], POLL_INTERVAL).says(
        "A creation that takes longer than maximum_polling_duration has failed", LIMIT,
        own!(|world| limit(world, Work::Provision)),
    ).with(Plans::HASTY),
    must("poll.limit-update", &["P10"], POLL_INTERVAL).says(
        "An update that takes longer than maximum_polling_duration has failed; the instance stays", LIMIT,
        own!(|world| limit(world, Work::Update)),
    ).with(Plans::HASTY),
    must("poll.limit-bind", &["P10"], POLL_INTERVAL).says(
        "A bind that takes longer than maximum_polling_duration has failed", LIMIT,
        own!(|world| limit(world, Work::Bind)),
    ).with(Plans::HASTY),
];

async fn ends(world: &mut World, work: Work) -> Check {
    let stage = Stage::set(world, work).await?;
    world.on(work.verb(), [Answer::accepted("some work")]);
    let going = Answer::state("in progress");
    world.on(
        work.poll(),
        [going.clone(), going, Answer::state("succeeded")],
    );
    let told = stage.go(world).await?;
    if world.last(work.verb()).is_none() {
        return Err(Stop::skip(format!(
            "no {} arrived: {}",
            work.verb().word(),
            told.line()
        )));
    }
    world.done(&told, work.noun(), work.verb())?;
    let polls = world.calls(work.poll()).len();
    if polls < 3 {
        return Err(Stop::failed(
            "polls until succeeded",
            format!("{polls} polls"),
        ));
    }
    world.settle().await;
    match world.calls(work.poll()).get(3) {
        None => Ok(()),
        Some(call) => Err(call.fail("no poll after succeeded", "another poll")),
    }
}

async fn failed_stops(world: &mut World) -> Check {
    let stage = Stage::set(world, Work::Update).await?;
    world.on(Verb::Update, [Answer::accepted("some work")]);
    world.always(
        Verb::Poll,
        [Answer::state("in progress"), Answer::state("failed")],
    );
    let told = stage.go(world).await?;
    world.failed(&told, "the update", Verb::Update)?;
    world.settle().await;
    match world.calls(Verb::Poll).get(2) {
        None => Ok(()),
        Some(call) => Err(call.fail("no poll after failed", "another poll")),
    }
}

async fn gone(world: &mut World, work: Work) -> Check {
    let stage = Stage::set(world, work).await?;
    world.on(work.verb(), [Answer::accepted("a deletion")]);
    world.always(
        work.poll(),
        [Answer::state("in progress"), Answer::json(410, &json!({}))],
    );
    let told = stage.go(world).await?;
    world.done(&told, work.noun(), work.verb())?;
    stage.forgotten(world, "410").await
}

async fn limit(world: &mut World, work: Work) -> Check {
    let stage = Stage::set(world, work).await?;
    world.on(work.verb(), [Answer::accepted("without end")]);
    world.always(work.poll(), [Answer::state("in progress")]);
    let started = Instant::now();
    let told = stage.go(world).await?;
    world.failed(&told, work.noun(), work.verb())?;
    let early = started.elapsed() < Duration::from_millis(2900);
    if let Some(call) = world.last(work.verb()).filter(|_| early) {
        let seen = format!("after {:.1} s", started.elapsed().as_secs_f32());
        let check = Err(call.fail("three seconds, as the plan allows", seen));
        world.should(check)?;
    }
    let polls = world.calls(work.poll()).len();
    world.settle().await;
    let check = match world.calls(work.poll()).get(polls) {
        None => Ok(()),
        Some(call) => Err(call.fail("no poll after the time is up", "another poll")),
    };
    world.should(check)?;
    match work {
        Work::Update => {
            stage
                .remembered(world, "an update that took too long")
                .await
        }
        _ => Ok(()),
    }
}
