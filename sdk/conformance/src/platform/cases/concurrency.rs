//! 422 ConcurrencyError: the broker is busy; wait, try again, and clean nothing up.

use super::sections::BLOCKING;
use super::work::{Stage, Work};
use crate::platform::broker::Answer;
use crate::platform::case::{Case, must, own};
use crate::platform::world::World;
use crate::verdict::{Check, Stop};

const FIX: &str =
    "Wait a moment and send the same request again; delete nothing, because nothing was made.";

pub(super) const CASES: &[Case] = &[
    must("concurrency.update", &["P12"], BLOCKING).says(
        "An update that meets ConcurrencyError is tried again later; the instance stays",
        FIX,
        own!(|world| busy(world, Work::Update)),
    ),
    must("concurrency.bind", &["P12"], BLOCKING).says(
        "A bind that meets ConcurrencyError is tried again later; nothing is unbound",
        FIX,
        own!(|world| busy(world, Work::Bind)),
    ),
    must("concurrency.unbind", &["P12"], BLOCKING).says(
        "An unbind that meets ConcurrencyError is tried again later",
        FIX,
        own!(|world| busy(world, Work::Unbind)),
    ),
    must("concurrency.deprovision", &["P12"], BLOCKING).says(
        "A deprovision that meets ConcurrencyError is tried again later",
        FIX,
        own!(|world| busy(world, Work::Deprovision)),
    ),
];

async fn busy(world: &mut World, work: Work) -> Check {
    let stage = Stage::set(world, work).await?;
    let word = Answer::word("ConcurrencyError");
    world.on(work.verb(), [word.clone(), word]);
    let told = stage.go(world).await?;
    let calls = world.calls(work.verb());
    let Some(first) = calls.first() else {
        return Err(Stop::skip(format!(
            "no {} arrived: {}",
            work.verb().word(),
            told.line()
        )));
    };
    if told.is_done() && calls.len() < 3 {
        return Err(first.fail("a refusal does not count as success", told.line()));
    }
    let tried = if told.is_done() {
        Ok(())
    } else {
        Err(first.fail(
            "the same request again later, and then success",
            told.line(),
        ))
    };
    world.should(tried)?;
    if matches!(work, Work::Update | Work::Bind) {
        let done = calls.get(2).map(|call| call.at);
        let undone = world.calls(work.undoing());
        // Before the third request nothing existed that could be deleted.
        if let Some(call) = undone
            .iter()
            .find(|call| done.is_none_or(|done| call.at < done))
        {
            return Err(call.fail("no DELETE: nothing was made", "a DELETE"));
        }
    }
    Ok(())
}
