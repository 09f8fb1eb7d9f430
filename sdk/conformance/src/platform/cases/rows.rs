//! The rows of the orphan-mitigation table, each played for the requests that it speaks of.
//!
//! The rule: that a failure counts as a failure, that a living instance is not deleted and that what could not be
//! deleted is remembered are MUSTs; whether and how long orphans are cleaned up are SHOULDs and only warn.

use super::work::{Stage, Work};
use crate::platform::broker::{Answer, Verb};
use crate::platform::driver::{State, Told};
use crate::platform::world::{Change, Made, World};
use crate::verdict::{Check, Stop};
use serde_json::json;

/// What the table says of orphan mitigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mitigation {
    Yes,
    No,
}

/// A creation that always gets this answer.
pub(super) async fn creation(
    world: &mut World,
    work: Work,
    answer: Answer,
    mitigation: Mitigation,
) -> Check {
    let stage = Stage::set(world, work).await?;
    world.always(work.verb(), [answer]);
    creation_fails(world, &stage, mitigation).await
}

/// A creation that is accepted and whose polls say failed.
pub(super) async fn creation_polled(world: &mut World, work: Work) -> Check {
    let stage = Stage::set(world, work).await?;
    world.always(work.verb(), [Answer::accepted("creation that fails")]);
    world.always(
        work.poll(),
        [Answer::state("in progress"), Answer::state("failed")],
    );
    creation_fails(world, &stage, Mitigation::Yes).await
}

async fn creation_fails(world: &mut World, stage: &Stage, mitigation: Mitigation) -> Check {
    let work = stage.work;
    let told = stage.go(world).await?;
    world.failed(&told, work.noun(), work.verb())?;
    let call = world.arrived(work.verb(), &told)?;
    let id = match work {
        Work::Bind => call.binding.clone(),
        _ => call.instance.clone(),
    };
    match mitigation {
        Mitigation::Yes => {
            let seen = world.until_count(work.undoing(), &id, 1).await;
            let check = if seen {
                Ok(())
            } else {
                let patience = world.scene.options.patience.as_secs();
                Err(call.fail(
                    "a DELETE for what this call may have made",
                    format!("none within {patience} s ({})", told.line()),
                ))
            };
            world.should(check)
        }
        Mitigation::No => {
            world.settle().await;
            let check = match world.about(work.undoing(), &id).first() {
                None => Ok(()),
                Some(call) => Err(call.fail("no DELETE: nothing was made", "a DELETE")),
            };
            world.should(check)
        }
    }
}

/// Orphan mitigation whose first deletions fail.
pub(super) async fn keeps_trying(world: &mut World, work: Work) -> Check {
    let stage = Stage::set(world, work).await?;
    world.always(work.verb(), [Answer::error(500)]);
    world.on(work.undoing(), [Answer::error(503), Answer::error(500)]);
    let told = stage.go(world).await?;
    world.failed(&told, work.noun(), work.verb())?;
    let call = world.arrived(work.verb(), &told)?;
    let id = match work {
        Work::Bind => call.binding.clone(),
        _ => call.instance.clone(),
    };
    if world.until_count(work.undoing(), &id, 3).await {
        return Ok(());
    }
    let seen = format!("{} deletions", world.about(work.undoing(), &id).len());
    Err(call.fail("DELETE again and again until the broker says success", seen))
}

/// A deletion that gets this answer: for ever where the table wants no repetition, twice where it wants one.
pub(super) async fn deletion(
    world: &mut World,
    work: Work,
    answer: Answer,
    mitigation: Mitigation,
) -> Check {
    let stage = Stage::set(world, work).await?;
    match mitigation {
        Mitigation::Yes => {
            world.on(work.verb(), [answer.clone(), answer]);
            deletion_repeated(world, &stage).await
        }
        Mitigation::No => {
            world.always(work.verb(), [answer]);
            deletion_remembered(world, &stage).await
        }
    }
}

/// A deletion that is accepted and whose polls say failed, twice.
pub(super) async fn deletion_polled(world: &mut World, work: Work) -> Check {
    let stage = Stage::set(world, work).await?;
    let accepted = Answer::accepted("deletion that fails");
    world.on(work.verb(), [accepted.clone(), accepted]);
    world.on(
        work.poll(),
        [Answer::state("failed"), Answer::state("failed")],
    );
    deletion_repeated(world, &stage).await
}

async fn deletion_repeated(world: &mut World, stage: &Stage) -> Check {
    let work = stage.work;
    let told = stage.go(world).await?;
    let calls = world.about(work.verb(), stage.id());
    let Some(first) = calls.first() else {
        return Err(Stop::skip(format!("no DELETE arrived: {}", told.line())));
    };
    if told.is_done() && calls.len() < 3 {
        return Err(first.fail(format!("{} counts as failed", work.noun()), told.line()));
    }
    let check = if world.until_count(work.verb(), stage.id(), 3).await {
        Ok(())
    } else {
        let seen = format!("{} deletions", world.about(work.verb(), stage.id()).len());
        Err(first.fail("DELETE again and again until the broker says success", seen))
    };
    world.should(check)
}

async fn deletion_remembered(world: &mut World, stage: &Stage) -> Check {
    let work = stage.work;
    let told = stage.go(world).await?;
    if told.state == State::Pending {
        return still_at_it(world, stage, &told).await;
    }
    world.failed(&told, work.noun(), work.verb())?;
    world.settle().await;
    let calls = world.about(work.verb(), stage.id());
    let check = match calls.get(1) {
        None => Ok(()),
        Some(call) => Err(call.fail(
            "no further DELETE until somebody asks for it",
            "another DELETE",
        )),
    };
    world.should(check)?;
    stage
        .remembered(world, &format!("a failed {}", work.verb().word()))
        .await?;
    world.script.soundly(work.verb());
    let told = stage.go(world).await?;
    world.done(&told, "the deletion that the user wants again", work.verb())?;
    if world.about(work.verb(), stage.id()).len() > calls.len() {
        Ok(())
    } else {
        Err(Stop::failed(
            "another DELETE when the user asks again",
            told.line(),
        ))
    }
}

/// A platform that goes on by itself counts it as no success, and loses nothing: that only warns.
async fn still_at_it(world: &mut World, stage: &Stage, told: &Told) -> Check {
    let calls = world.about(stage.work.verb(), stage.id());
    let Some(first) = calls.first() else {
        return Err(Stop::skip(format!("no DELETE arrived: {}", told.line())));
    };
    let seen = format!("{} deletions; {}", calls.len(), told.line());
    let check = Err(first.fail(format!("{} ends as failed", stage.work.noun()), seen));
    world.should(check)?;
    stage
        .remembered(world, "a deletion that got no answer")
        .await
}

/// An update that always gets this answer. Whatever it is, the instance stays.
pub(super) async fn update(world: &mut World, answer: Answer) -> Check {
    let instance = world.instance().await?;
    world.always(Verb::Update, [answer]);
    update_fails(world, &instance).await
}

/// An update that is accepted and whose polls say failed.
pub(super) async fn update_polled(world: &mut World) -> Check {
    let instance = world.instance().await?;
    world.always(Verb::Update, [Answer::accepted("update that fails")]);
    world.always(
        Verb::Poll,
        [Answer::state("in progress"), Answer::state("failed")],
    );
    update_fails(world, &instance).await
}

async fn update_fails(world: &mut World, instance: &Made) -> Check {
    let change = Change::parameters(json!({ "verify": 2 }));
    let told = world.update(instance, change).await?;
    world.failed(&told, "the update", Verb::Update)?;
    world.settle().await;
    if let Some(call) = world.about(Verb::Deprovision, &instance.id).first() {
        return Err(call.fail("the instance stays as it was", "a DELETE"));
    }
    world.remembers(instance, "a failed update").await
}
