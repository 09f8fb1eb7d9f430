//! Sends what was begun and concludes it: the second half of every deed at a door.

use super::conclude::{Case, Row, conclude};
use super::judge::judge;
use super::start::Entered;
use super::wait::Pace;
use super::{Order, fetch, send};
use crate::Lifecycle;
use crate::door::{Passed, Reply};
use qm_model::{Ctx, Error};
use qm_store::operation::Held;
use quartermaster_osb::Verb;

/// What was begun.
pub(crate) struct Begun<'a> {
    pub(crate) entered: &'a Entered,
    pub(crate) held: Held,
    pub(crate) verb: Verb,
    pub(crate) order: &'a Order,
    pub(crate) row: Row,
}

/// Calls the broker, stores what came of it, and gives the platform the broker's answer.
///
/// # Errors
/// The broker's, when it gave no answer; the store's, when the outcome cannot be stored: then the platform must not
/// believe in it, and a task finds out what is there.
pub(crate) async fn run(
    deeds: &Lifecycle,
    ctx: &Ctx,
    begun: Begun<'_>,
    passed: Passed,
) -> Result<Reply, Error> {
    let Begun {
        entered,
        held,
        verb,
        order,
        row,
    } = begun;
    let answer = send::send(deeds, ctx, &entered.view, verb, passed).await;
    let verdict = judge(verb, &answer);
    let case = Case {
        permit: &entered.permit,
        held,
        verb,
        order,
        row,
        attempts: 0,
        pace: Pace::retry(&deeds.settings.osb),
    };
    conclude(deeds, ctx, case, verdict).await?;
    fetch::reply(entered, answer)
}
